//! The command `outflank`; everything is in the library's room `cli`.

fn main() -> std::process::ExitCode {
    outflank::cli::main()
}
