//! Turns every file in `presets/` into a preset: a new method needs only a file there.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let folder = root.join("presets");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(&folder).expect("there is a folder of presets");
    let mut presets: Vec<((bool, String), String, PathBuf)> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .map(|path| ((paper(&path).is_empty(), paper(&path)), name(&path), path))
        .collect();
    // By paper and section; presets without a paper come last.
    presets.sort();
    let lines: Vec<String> = presets
        .iter()
        .map(|(_, name, path)| {
            format!("    Preset {{ name: {name:?}, text: include_str!({path:?}) }},\n")
        })
        .collect();
    let list = format!("&[\n{}]\n", lines.concat());
    fs::write(out.join("presets.rs"), list).expect("cargo's folder can be written to");
}

/// The name of a preset is that of its file.
fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The line that cites the paper of a preset; only its own, because its base may come from another
/// paper.
fn paper(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a preset can be read");
    let line = text.lines().find(|line| line.starts_with("paper"));
    line.unwrap_or_default().to_owned()
}
