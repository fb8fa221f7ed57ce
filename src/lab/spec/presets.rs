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
    Preset { name: "sane", text: include_str!("../../../presets/sane.toml") },
    Preset { name: "sane-800", text: include_str!("../../../presets/sane-800.toml") },
    Preset { name: "sane-400", text: include_str!("../../../presets/sane-400.toml") },
    Preset { name: "esp", text: include_str!("../../../presets/esp.toml") },
    Preset { name: "esp-delta", text: include_str!("../../../presets/esp-delta.toml") },
    Preset { name: "esp-20", text: include_str!("../../../presets/esp-20.toml") },
    Preset { name: "esp-10", text: include_str!("../../../presets/esp-10.toml") },
    Preset { name: "neat", text: include_str!("../../../presets/neat.toml") },
    Preset { name: "neat-canonical", text: include_str!("../../../presets/neat-canonical.toml") },
    Preset { name: "td-lambda", text: include_str!("../../../presets/td-lambda.toml") },
    Preset { name: "neat-td", text: include_str!("../../../presets/neat-td.toml") },
];

impl Preset {
    /// The preset with this name.
    pub fn find(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}
