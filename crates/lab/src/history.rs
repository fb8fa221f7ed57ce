//! The champions that a run had at its probes. In `champions.bin` the shape of a champion is
//! compact JSON (the keys `model`, `view` and `structure` of a player file), and its numbers are
//! the parameters as 32-bit floats, little-endian.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use outflank_game::model::{ModelFile, ModelName, View};
use outflank_game::player::{Player, PlayerFile};
use outflank_store::{KeptChampion, RunError, read_champions, spec_id};

/// All of a model but its parameters.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shape {
    model: ModelName,
    view: View,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    structure: Option<Value>,
}

/// The run that a player comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The text of its spec.
    pub spec: &'a str,
    /// Its seed.
    pub seed: u64,
}

impl Origin<'_> {
    /// The name of its players: from what they depend on, not from the name of the spec.
    pub fn name(self) -> String {
        format!("{}-{}", spec_id(self.spec), self.seed)
    }

    /// The provenance of a player at some moment of the run.
    pub fn provenance(self, games: u64, generation: u64) -> Map<String, Value> {
        let provenance = json!({
            "spec": spec_id(self.spec),
            "seed": self.seed,
            "generation": generation,
            "games": games,
        });
        provenance.as_object().cloned().unwrap_or_default()
    }
}

/// The champion of a run at one of its probes.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// Training games done.
    pub games: u64,
    /// Generations done.
    pub generation: u64,
    /// The champion, as `champion.json` would have it at that moment.
    pub champion: PlayerFile,
}

impl Moment {
    /// The text of its player file.
    pub fn text(&self) -> String {
        player_text(&self.champion)
    }
}

/// The text of a player file.
pub fn player_text(file: &PlayerFile) -> String {
    let mut text = serde_json::to_string_pretty(file).expect("a player is plain JSON");
    text.push('\n');
    text
}

/// A champion as the history keeps it.
pub fn kept(champion: &PlayerFile, games: u64, generation: u64) -> KeptChampion {
    let PlayerFile { model, view, structure, parameters, .. } = champion;
    let shape = Shape { model: *model, view: *view, structure: structure.clone() };
    let shape = serde_json::to_vec(&shape).expect("a shape is plain JSON");
    let numbers: Vec<u8> = parameters.iter().flat_map(|number| number.to_le_bytes()).collect();
    KeptChampion { games, generation, shape: shape.into(), numbers: numbers.into() }
}

/// The champions of the run in this folder, the first one first; none if it has no history.
pub fn champions_of(path: &Path, spec: &str, seed: u64) -> Result<Vec<Moment>, RunError> {
    let origin = Origin { spec, seed };
    let wrong = |problem: String| RunError::Altered { path: path.join("champions.bin"), problem };
    let moment = |(number, kept): (usize, &KeptChampion)| {
        moment_of(kept, origin).map_err(|problem| wrong(format!("champion {number}: {problem}")))
    };
    (1..).zip(&read_champions(path)?).map(moment).collect()
}

/// The champion that the run in this folder had after this number of games; `None` if the run has
/// no history.
pub fn champion_at(path: &Path, games: u64) -> Result<Option<Player>, RunError> {
    let wrong = |problem: String| RunError::Altered { path: path.join("champions.bin"), problem };
    let champions = read_champions(path)?;
    if champions.is_empty() {
        return Ok(None);
    }
    let found = champions.iter().find(|kept| kept.games == games);
    let lost = || wrong(format!("it has no champion at {games} games, so it is damaged"));
    let origin = Origin { spec: "", seed: 0 };
    let moment = moment_of(found.ok_or_else(lost)?, origin).map_err(wrong)?;
    Ok(moment.champion.player())
}

fn moment_of(kept: &KeptChampion, origin: Origin<'_>) -> Result<Moment, String> {
    let shape: Shape = serde_json::from_slice(&kept.shape).map_err(|error| error.to_string())?;
    let (numbers, rest) = kept.numbers.as_chunks();
    if !rest.is_empty() {
        return Err(format!("{} bytes are no 32-bit numbers", kept.numbers.len()));
    }
    let parameters = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let Shape { model: kind, view, structure } = shape;
    let model = ModelFile { kind, view, structure, parameters };
    model.read()?;
    let provenance = origin.provenance(kept.games, kept.generation);
    let champion = PlayerFile::new(&origin.name(), model, provenance);
    Ok(Moment { games: kept.games, generation: kept.generation, champion })
}
