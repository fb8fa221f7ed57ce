//! The methods of the papers, each a small file: every file in `presets/` is a preset.

/// A method that can be asked for by name.
#[derive(Debug)]
pub struct Preset {
    /// The name, the paper's own.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

/// All of them, by paper and section.
pub static PRESETS: &[Preset] = include!(concat!(env!("OUT_DIR"), "/presets.rs"));

impl Preset {
    /// The preset with this name.
    pub fn find(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}
