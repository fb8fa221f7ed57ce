//! Turns every file in `studies/` into a study that comes with the program.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let folder = root.join("../../studies");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(&folder).expect("there is a folder of studies");
    let mut studies: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    studies.sort();
    let lines: Vec<String> = studies
        .iter()
        .map(|path| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let path = path.canonicalize().expect("the file is there");
            format!("    ({name:?}, include_str!({path:?})),\n")
        })
        .collect();
    let list = format!("&[\n{}]\n", lines.concat());
    fs::write(out.join("papers.rs"), list).expect("cargo's folder can be written to");
}
