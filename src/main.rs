//! The command `outflank`; everything is in the crate `outflank-cli`.

fn main() -> std::process::ExitCode {
    outflank_cli::main()
}
