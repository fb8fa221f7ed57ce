//! The methods of the papers: every file in `presets/` is a preset.

/// A method with a name.
#[derive(Debug)]
pub struct Preset {
    /// The name, as in the paper.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

/// All presets, by paper and section.
pub static PRESETS: &[Preset] = include!(concat!(env!("OUT_DIR"), "/presets.rs"));

impl Preset {
    /// Finds a preset by name.
    pub fn find(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}
