//! `outflank completions` and `outflank man`: what a shell and `man` want to know of the commands.
//! Both are made from the commands themselves, so they are never out of date.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory as _};
use clap_complete::Shell;

use super::output::{Replace, WholeFile, beginning};
use super::text::help;
use super::{Cli, Error};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank completions bash > ~/.local/share/bash-completion/completions/outflank
  outflank completions zsh > ~/.zfunc/_outflank
  outflank completions fish > ~/.config/fish/completions/outflank.fish

A new shell then completes commands, options and their values with Tab."))]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the completions of a shell.
pub fn completions(args: CompletionsArgs) -> Result<(), Error> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "outflank", &mut text);
    Ok(io::stdout().lock().write_all(&text)?)
}

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank man ~/.local/share/man/man1
  outflank man . && man ./outflank-learn.1

The folder is made if it is not there. It gets a page for the program and one for
each command, called outflank-learn.1 and so on."))]
pub struct ManArgs {
    /// The folder for the pages
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Replace files even if this program did not make them
    #[arg(long)]
    force: bool,
}

/// Writes the manual pages.
pub fn man(args: ManArgs) -> Result<(), Error> {
    let folder = &args.folder;
    std::fs::create_dir_all(folder).map_err(|error| {
        Error::Failed(format!("cannot make the folder {}: {error}", folder.display()))
    })?;
    let mut pages = Vec::new();
    let mut root = Cli::command().disable_help_subcommand(true);
    // Until it is built, options of all commands are not among those of each.
    root.build();
    collect(&root, "outflank", &mut pages)?;
    for (name, page) in &pages {
        let path = folder.join(format!("{name}.1"));
        let mut file = WholeFile::create(&path, Replace::ours(args.force, is_page))?;
        file.bytes(page)?;
        file.finish()?;
    }
    Ok(writeln!(io::stdout(), "{} pages in {}", pages.len(), folder.display())?)
}

/// The page of a command and those of its subcommands.
fn collect(command: &Command, name: &str, pages: &mut Vec<(String, Vec<u8>)>) -> Result<(), Error> {
    let mut page = Vec::new();
    let man = clap_mangen::Man::new(command.clone());
    man.title(name).source(concat!("outflank ", env!("CARGO_PKG_VERSION"))).render(&mut page)?;
    pages.push((name.into(), page));
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        collect(sub, &format!("{name}-{}", sub.get_name()), pages)?;
    }
    Ok(())
}

/// Says whether a file is a page of this program.
fn is_page(path: &Path) -> bool {
    let start = beginning(path);
    String::from_utf8_lossy(&start).contains(".TH outflank")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_with_its_options() {
        let mut root = Cli::command();
        root.build();
        let mut pages = Vec::new();
        collect(&root, "outflank", &mut pages).unwrap();
        let page = |name: &str| {
            let found = pages.iter().find(|(other, _)| other == name);
            String::from_utf8(found.unwrap_or_else(|| panic!("{name}")).1.clone()).unwrap()
        };
        assert!(page("outflank-convert").contains("empties"));
        assert!(page("outflank-book-build").contains(".TH outflank-book-build"));
        assert!(page("outflank").contains("outflank\\-learn(1)"));
        assert!(pages.len() > Cli::command().get_subcommands().count());
    }

    #[test]
    fn every_shell_has_completions_for_every_command() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "outflank", &mut text);
            let text = String::from_utf8(text).unwrap();
            for command in Cli::command().get_subcommands() {
                assert!(text.contains(command.get_name()), "{shell}: {}", command.get_name());
            }
        }
    }
}
