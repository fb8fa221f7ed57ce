//! Methods by name or from files: presets, bases, overrides, and errors that say where and why.

mod error;
mod label;
mod presets;
mod run_text;
mod text;

use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

pub use error::SpecError;
pub use label::label;
pub use presets::{PRESETS, Preset};
pub use run_text::run_text;

use crate::Spec;
use outflank_game::player::find_folder;
use outflank_schema::{
    self as schema, Lacks, Mistake, Node, Place, Shape, Table, TableKey, nearest,
};

/// A spec and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// The name of the preset, or of the file without its ending.
    pub name: String,
    /// What it is, in one line.
    pub summary: String,
    /// The paper and its section.
    pub paper: String,
    /// All parameters.
    pub spec: Spec,
}

/// Larger files are refused.
const LARGEST: u64 = 1 << 20;

/// Resolves the name of a preset or the path of a spec file, with overrides `a.b.c=value` in order.
///
/// A file, like a preset, can name a `base`: a preset, or a file relative to it. Tables are merged
/// with those of the base; lists and other values replace them. `false` removes a source of
/// opponents, and another `kind` drops the keys that it does not know. An override
/// `search=preset:NAME` copies the whole table of a preset.
pub fn resolve(source: &str, overrides: &[String]) -> Result<Method, SpecError> {
    stack(layers(Origin::of_argument(source)?, 0)?, overrides)
}

/// Resolves the text of a spec file. Its base can only be a preset, because a text has no folder.
pub fn resolve_text(name: &str, text: &str, overrides: &[String]) -> Result<Method, SpecError> {
    stack(layers(Origin::Text { name, text }, 0)?, overrides)
}

/// Merges layers, the first of which has the highest priority, and then applies overrides.
fn stack(mut layers: Vec<Layer>, overrides: &[String]) -> Result<Method, SpecError> {
    let top = layers[0].node.place.clone();
    let name = layers[0].name.clone();
    // A spec with a base is not the method of the base's paper; only presets cite their own.
    let is_derived = layers.len() > 1 && !layers[0].is_preset;
    let base = layers.get(1).map_or(String::new(), |base| base.name.clone());
    let own = ["summary", "paper"].map(|key| layers[0].node.get(key).is_some());
    let Some(Layer { mut node, .. }) = layers.pop() else { unreachable!("there is a top layer") };
    for layer in layers.into_iter().rev() {
        node.overlay(layer.node, Some(&SHAPE));
    }
    node.place = top;
    let [summary, paper] = ["summary", "paper"].map(|key| line(&mut node, key));
    let (mut summary, mut paper) = (summary?, paper?);
    if is_derived && !own[0] {
        summary = format!("based on {base}: {summary}");
    }
    if is_derived && !own[1] {
        paper.clear();
    }
    for text in overrides {
        let mut set = schema::parse_override(text)?;
        expand(&mut set, &Origin::Text { name: "", text: "" }, 0)?;
        for name in Spec::KEYS.iter().map(TableKey::name) {
            if let Some(table) = taken(&set, &name)? {
                set.remove(&name);
                node.remove(&name);
                node.overlay(table, Some(&SHAPE));
            }
        }
        node.overlay(set, Some(&SHAPE));
    }
    let table = schema::read_table(&node, Spec::KEYS).map_err(with_example)?;
    let spec = Spec::deserialize(table).map_err(|error| node.place.wrong(error.message()))?;
    if let Err(fault) = spec.check() {
        return Err(SpecError::Refused { place: node.place_of(&fault.key).clone(), fault });
    }
    Ok(Method { name, summary, paper, spec })
}

/// The table that `--set search=preset:NAME` copies from a preset, under its key.
fn taken(set: &Node, name: &str) -> Result<Option<Node>, SpecError> {
    let written = set.get(name).and_then(Node::as_str);
    let Some(preset) = written.and_then(|text| text.strip_prefix("preset:")) else {
        return Ok(None);
    };
    if Preset::find(preset).is_none() {
        let names = PRESETS.iter().map(|preset| preset.name);
        let unknown = SpecError::Unknown { name: preset.into(), nearest: nearest(preset, names) };
        return Err(set.place.wrong(unknown.to_string()).into());
    }
    let table = resolve(preset, &[])?.spec.to_table();
    let text = match table.get(name) {
        Some(table @ toml::Value::Table(_)) => {
            toml::Table::from_iter([(name.into(), table.clone())])
        }
        _ => {
            return Err(set.place.wrong(format!("{name} is not a table, expected a value")).into());
        }
    };
    Ok(Some(schema::parse(&text.to_string(), &set.place.source)?))
}

/// Adds values to copy to a message about missing keys: those of the first preset that has such a
/// table.
fn with_example(mut mistake: Mistake) -> Mistake {
    let Some((preset, values)) = mistake.lacks.as_deref().and_then(example) else { return mistake };
    let values: Vec<String> =
        values.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    let _ = write!(mistake.problem, "; preset {preset} has {}", values.join(", "));
    mistake
}

/// Values for keys that a table lacks: the first preset that has such a table, and its values.
pub fn example(
    Lacks { table, kind, keys }: &Lacks,
) -> Option<(&'static str, Vec<(String, String)>)> {
    PRESETS.iter().find_map(|preset| {
        let spec = toml::Value::Table(resolve(preset.name, &[]).ok()?.spec.to_table());
        let found = table.split('.').try_fold(&spec, |table, part| table.get(part))?;
        if found.get("kind").and_then(toml::Value::as_str) != kind.as_deref() {
            return None;
        }
        let value = |key: &String| Some((key.clone(), found.get(key)?.to_string()));
        Some((preset.name, keys.iter().map(value).collect::<Option<_>>()?))
    })
}

const SHAPE: Shape = Shape::Table(Spec::KEYS);

/// A file or preset in a chain of bases.
struct Layer {
    name: String,
    is_preset: bool,
    node: Node,
}

/// Longer chains of bases are a mistake.
const LONGEST_CHAIN: usize = 32;

/// The spec asked for, its base, the base's base, and so on.
fn layers(mut origin: Origin<'_>, depth: usize) -> Result<Vec<Layer>, SpecError> {
    let (mut layers, mut chain) = (Vec::new(), Vec::new());
    loop {
        let mut layer = origin.read()?;
        expand(&mut layer.node, &origin, depth)?;
        let base = layer.node.remove("base");
        layers.push(layer);
        let Some(base) = base else { return Ok(layers) };
        let next = origin.base(&base)?;
        chain.push(origin);
        if chain.len() >= LONGEST_CHAIN {
            let problem = format!("base = {base}: a chain of more than {LONGEST_CHAIN} bases");
            return Err(base.place.wrong(problem).into());
        }
        if let Some(first) = chain.iter().position(|origin| origin.is(&next)) {
            let names = chain[first..].iter().chain([&next]).map(Origin::shown);
            let names: Vec<String> = names.collect();
            let problem = format!("base = {base} is circular: {}", names.join(" -> "));
            return Err(base.place.wrong(problem).into());
        }
        origin = next;
    }
}

/// Writes out the base of a stage before (`before.base`): the spec of a preset or file, which the
/// other keys of the stage change.
fn expand(node: &mut Node, origin: &Origin<'_>, depth: usize) -> Result<(), SpecError> {
    let Some(mut stage) = node.remove("before") else { return Ok(()) };
    if stage.get("before").is_some() {
        expand(&mut stage, origin, depth + 1)?;
    }
    if let Some(base) = stage.remove("base") {
        if depth >= LONGEST_CHAIN {
            let problem = format!("before.base = {base}: more than {LONGEST_CHAIN} stages");
            return Err(base.place.wrong(problem).into());
        }
        let mut below = layers(origin.base(&base)?, depth + 1)?;
        let Some(Layer { node: mut whole, .. }) = below.pop() else {
            unreachable!("there is a top layer")
        };
        below.into_iter().rev().for_each(|layer| whole.overlay(layer.node, Some(&SHAPE)));
        ["summary", "paper"].iter().for_each(|key| drop(whole.remove(key)));
        whole.place = stage.place.clone();
        whole.overlay(stage, Some(&SHAPE));
        stage = whole;
    }
    node.put("before", stage);
    Ok(())
}

/// Where a layer comes from.
enum Origin<'a> {
    Preset(&'static Preset),
    File(PathBuf),
    Text { name: &'a str, text: &'a str },
}

impl Origin<'_> {
    fn of_argument(source: &str) -> Result<Origin<'static>, SpecError> {
        if Preset::find(source).is_none() && source.contains(['/', '\\']) {
            // The spec of a run; its study may be named without the hash.
            return find_folder(Path::new(source)).map(Origin::File).map_err(SpecError::Several);
        }
        Origin::named(source, Path::new("")).ok_or_else(|| {
            let names = PRESETS.iter().map(|preset| preset.name);
            SpecError::Unknown { name: source.into(), nearest: nearest(source, names) }
        })
    }

    /// A preset, or a name that can only be a file.
    fn named(name: &str, folder: &Path) -> Option<Origin<'static>> {
        if let Some(preset) = Preset::find(name) {
            return Some(Origin::Preset(preset));
        }
        let path = folder.join(name);
        let looks_like_a_file =
            path.exists() || Path::new(name).extension().is_some() || name.contains(['/', '\\']);
        (looks_like_a_file && !name.is_empty()).then_some(Origin::File(path))
    }

    fn base(&self, base: &Node) -> Result<Origin<'static>, SpecError> {
        let wrong = |expected: &str| -> SpecError {
            base.place.wrong(format!("base = {base}, {expected}")).into()
        };
        let Some(name) = base.as_str() else {
            return Err(wrong("expected at most one base, a preset or a file"));
        };
        let folder = match self {
            Origin::Preset(_) | Origin::Text { .. } => Path::new(""),
            Origin::File(path) => path.parent().unwrap_or(Path::new("")),
        };
        match Origin::named(name, folder) {
            Some(Origin::File(_)) if matches!(self, Origin::Text { .. }) => {
                Err(wrong("expected a preset; only a spec in a file can name another file"))
            }
            Some(Origin::File(path)) if !path.exists() => {
                Err(wrong(&format!("but there is no file {}", path.display())))
            }
            Some(origin) => Ok(origin),
            None => {
                let names = PRESETS.iter().map(|preset| preset.name);
                let unknown =
                    SpecError::Unknown { name: name.into(), nearest: nearest(name, names) };
                Err(base.place.wrong(format!("base = {base}: {unknown}")).into())
            }
        }
    }

    fn read(&self) -> Result<Layer, SpecError> {
        let source: Arc<str> = self.shown().into();
        match self {
            Origin::Preset(preset) => {
                let (name, node) = (preset.name.into(), schema::parse(preset.text, &source)?);
                Ok(Layer { name, is_preset: true, node })
            }
            Origin::File(path) => {
                let text = read_file(path, &source)?;
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let name = stem.replace(char::is_control, "?");
                Ok(Layer { name, is_preset: false, node: schema::parse(&text, &source)? })
            }
            Origin::Text { name, text } => {
                let node = schema::parse(text, &source)?;
                Ok(Layer { name: (*name).into(), is_preset: false, node })
            }
        }
    }

    fn shown(&self) -> String {
        match self {
            Origin::Preset(preset) => format!("preset {}", preset.name),
            Origin::File(path) => format!("spec file {}", path.display()),
            Origin::Text { name, .. } => format!("spec {name}"),
        }
    }

    fn is(&self, other: &Origin<'_>) -> bool {
        match (self, other) {
            (Origin::Preset(one), Origin::Preset(other)) => one.name == other.name,
            (Origin::File(one), Origin::File(other)) => {
                let real = |path: &Path| path.canonicalize().unwrap_or(path.into());
                real(one) == real(other)
            }
            _ => false,
        }
    }
}

fn read_file(path: &Path, source: &Arc<str>) -> Result<String, SpecError> {
    let read = || -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        std::fs::File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|source| SpecError::Read { path: path.into(), source })?;
    let place = |line| Place { source: Arc::clone(source), line };
    if bytes.len() as u64 > LARGEST {
        return Err(place(None).wrong(format!("larger than {} MiB", LARGEST >> 20)).into());
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        place(Some(line)).wrong("not UTF-8 text")
    })?;
    // Some editors write a byte order mark at the start of a file.
    Ok(text.trim_start_matches('\u{feff}').into())
}

/// Removes a line about the method from its tree and returns it; empty if there is none.
fn line(node: &mut Node, key: &str) -> Result<String, SpecError> {
    let Some(node) = node.remove(key) else { return Ok(String::new()) };
    match node.as_str() {
        Some(text) if !text.contains(char::is_control) => Ok(text.into()),
        _ => Err(node.place.wrong(format!("{key} = {node}, expected a line of text")).into()),
    }
}

#[cfg(test)]
mod tests;
