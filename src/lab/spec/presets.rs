//! The methods of the papers, each a small file; a line here makes a file a preset.

/// A method that can be asked for by name.
#[derive(Debug)]
pub struct Preset {
    /// The name, the paper's own.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

/// All of them, by paper.
pub static PRESETS: &[Preset] = &[
    Preset { name: "tdl", text: include_str!("../../../presets/tdl.toml") },
    Preset { name: "cel", text: include_str!("../../../presets/cel.toml") },
    Preset { name: "cel-hof", text: include_str!("../../../presets/cel-hof.toml") },
    Preset { name: "ctdl", text: include_str!("../../../presets/ctdl.toml") },
    Preset { name: "ctdl-hof", text: include_str!("../../../presets/ctdl-hof.toml") },
    Preset { name: "rsel", text: include_str!("../../../presets/rsel.toml") },
    Preset { name: "1cel", text: include_str!("../../../presets/1cel.toml") },
    Preset { name: "1cel-rs", text: include_str!("../../../presets/1cel-rs.toml") },
    Preset { name: "2cel", text: include_str!("../../../presets/2cel.toml") },
    Preset { name: "2cel-rs", text: include_str!("../../../presets/2cel-rs.toml") },
];

impl Preset {
    /// The preset with this name.
    pub fn find(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}
