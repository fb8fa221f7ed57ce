//! Embeds every file in `dist/`, which `web/build` makes.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let folder = root.join("dist");
    let real = folder.canonicalize().unwrap_or_else(|_| folder.clone());
    println!("cargo::rerun-if-changed={}", real.display());
    let entries = fs::read_dir(&folder).expect("there is a folder of built pages");
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.sort();
    let line = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        format!("    ({name:?}, include_bytes!({path:?})),\n")
    };
    let list = format!("&[\n{}]\n", files.iter().map(line).collect::<String>());
    fs::write(out.join("assets.rs"), list).expect("cargo's folder can be written to");
}
