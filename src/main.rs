//! The command `outflank`.
fn main() {
    let kernel = outflank::kernel::Kernel::detect().unwrap();
    println!("{}", kernel.name());
    println!(
        "{}",
        outflank::othello::perft(
            kernel,
            outflank::othello::Board::START,
            9,
            outflank::othello::Convention::Bik
        )
    );
}
