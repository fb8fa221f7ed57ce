//! Lists of named things: players and methods.

use outflank_arena::Watch;
use outflank_game::player::NAMED;
use outflank_learn::{Method, PRESETS, Spec, resolve};
use serde::{Deserialize, Serialize};

use crate::{Command, Error};

/// Lists the players that have a name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayersRequest {}

/// The players that have a name.
#[derive(Clone, Debug, Serialize)]
pub struct PlayersAnswer {
    /// In a fixed order.
    pub results: Vec<Named>,
}

/// Something with a name.
#[derive(Clone, Debug, Serialize)]
pub struct Named {
    /// The name.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
}

impl Command for PlayersRequest {
    type Answer = PlayersAnswer;
    const NAME: &'static str = "players";

    fn run(&self, _watch: &dyn Watch) -> Result<PlayersAnswer, Error> {
        let named = NAMED.iter().map(|named| Named { name: named.name, summary: named.summary });
        Ok(PlayersAnswer { results: named.collect() })
    }
}

/// Lists the methods of the papers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PresetsRequest {}

/// The methods of the papers.
#[derive(Clone, Debug, Serialize)]
pub struct PresetsAnswer {
    /// By paper and section.
    pub results: Vec<PresetEntry>,
}

/// A method.
#[derive(Clone, Debug, Serialize)]
pub struct PresetEntry {
    /// Its name.
    pub name: String,
    /// What it is, in one line.
    pub summary: String,
    /// The paper and its section.
    pub paper: String,
}

impl Command for PresetsRequest {
    type Answer = PresetsAnswer;
    const NAME: &'static str = "presets";

    fn run(&self, _watch: &dyn Watch) -> Result<PresetsAnswer, Error> {
        let methods = PRESETS.iter().map(|preset| resolve(preset.name, &[]));
        let entry = |Method { name, summary, paper, .. }| PresetEntry { name, summary, paper };
        let results = methods.map(|method| method.map(entry)).collect::<Result<_, _>>()?;
        Ok(PresetsAnswer { results })
    }
}

/// Shows all parameters of a method.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PresetRequest {
    /// A preset's name or a spec file.
    pub method: String,
    /// Keys to change, `KEY=VALUE`.
    pub set: Vec<String>,
}

/// A method with all of its parameters.
#[derive(Clone, Debug, Serialize)]
pub struct PresetAnswer {
    /// Its name.
    pub name: String,
    /// What it is, in one line.
    pub summary: String,
    /// The paper and its section.
    pub paper: String,
    /// All of its parameters.
    pub spec: Spec,
    /// The same as a spec file, with a comment above each key that says what it means.
    #[serde(skip)]
    pub commented: String,
}

impl Command for PresetRequest {
    type Answer = PresetAnswer;
    const NAME: &'static str = "preset";

    fn run(&self, _watch: &dyn Watch) -> Result<PresetAnswer, Error> {
        let method = resolve(&self.method, &self.set)?;
        let commented = method.commented();
        let Method { name, summary, paper, spec } = method;
        Ok(PresetAnswer { name, summary, paper, spec, commented })
    }
}
