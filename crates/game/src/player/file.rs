//! Player files: JSON with a version, the model, its view, its parameters and its origin; or 64
//! plain numbers, which are a WPC.

use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::champions::{CHAMPION, STUDY};
use super::front::{no_such_run, read_member, split_member};
use super::strict_json::StrictValue;
use super::vouched::refuse_altered;
use super::{Brain, Player, PlayerError, Policy, find_folder};
use crate::model::{AnyModel, Evaluate, ModelFile, ModelName, View};

/// The content of a player file of the present version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerFile {
    /// Always `outflank-player`.
    pub format: String,
    /// Always 1.
    pub version: u32,
    /// The name of the player.
    pub name: String,
    /// The kind of model.
    pub model: ModelName,
    /// From whose point of view it sees boards.
    pub view: View,
    /// The structure of a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structure: Option<Value>,
    /// The model's parameters; 64 for a WPC, a1 to h8.
    pub parameters: Vec<f32>,
    /// The origin of the player: any entries of the writer.
    #[serde(default)]
    pub provenance: serde_json::Map<String, Value>,
}

/// The value of the key `format`.
pub const FORMAT: &str = "outflank-player";
/// The version this program writes, and the newest it reads.
pub const VERSION: u32 = 1;
/// A larger file is not a player.
const MAX_BYTES: u64 = 64 << 20;

impl PlayerFile {
    /// The file of a player with this model.
    pub fn new(name: &str, model: ModelFile, provenance: serde_json::Map<String, Value>) -> Self {
        let ModelFile { kind, view, structure, parameters } = model;
        PlayerFile {
            format: FORMAT.into(),
            version: VERSION,
            name: name.into(),
            model: kind,
            view,
            structure,
            parameters,
            provenance,
        }
    }

    /// The file of a model; `None` if a file cannot hold it.
    pub fn of_model(
        name: &str,
        model: &dyn Evaluate,
        provenance: serde_json::Map<String, Value>,
    ) -> Option<PlayerFile> {
        Some(PlayerFile::new(name, model.file()?, provenance))
    }

    /// The file of a player; `None` if a file cannot hold what scores its boards.
    pub fn of_player(
        player: &Player,
        provenance: serde_json::Map<String, Value>,
    ) -> Option<PlayerFile> {
        Some(PlayerFile::new(&player.name, player.file()?, provenance))
    }

    /// The part that describes the model.
    pub fn model_file(&self) -> ModelFile {
        let (kind, view) = (self.model, self.view);
        let (structure, parameters) = (self.structure.clone(), self.parameters.clone());
        ModelFile { kind, view, structure, parameters }
    }

    /// Reads the model in the file, or says what is wrong.
    pub fn read_model(&self) -> Result<AnyModel, String> {
        self.model_file().read()
    }

    /// The player in the file; `None` if its parameters do not fit its model.
    pub fn player(&self) -> Option<Player> {
        let brain = match self.read_model().ok()? {
            AnyModel::Wpc(wpc) => Brain::Wpc(wpc),
            AnyModel::Other(model) => Brain::Model { model, view: self.view },
        };
        Some(Player { name: self.name.clone(), brain, policy: Policy::default() })
    }
}

/// Reads a player file. 64 plain numbers become one, the folder of a run stands for its champion,
/// and `RUN#N` for player N of its front. A study's folder may be named without its hash.
pub fn read_player_file(path: &Path) -> Result<PlayerFile, PlayerError> {
    if let Some((run, number)) = split_member(path)? {
        return read_member(&run, number);
    }
    let path = find_folder(path)?;
    let path = path.as_path();
    if let Some(error) = no_such_run(path).filter(|_| !path.exists()) {
        return Err(error);
    }
    let inside = path.join(CHAMPION);
    let path = match path.is_dir() {
        true if inside.is_file() => inside.as_path(),
        true => {
            let problem = match path.join(STUDY).is_file() {
                true => "a study of several runs; name one of them by the folder of its seed",
                false => "a folder without champion.json: not a run, or one that has just begun",
            };
            return Err(PlayerError::Content { path: path.into(), problem: problem.into() });
        }
        false => path,
    };
    read_plain_file(path)
}

/// Reads the player file at a path, which is no folder.
pub(super) fn read_plain_file(path: &Path) -> Result<PlayerFile, PlayerError> {
    let read = || -> std::io::Result<Option<Vec<u8>>> {
        let file = std::fs::File::open(path)?;
        if file.metadata()?.len() > MAX_BYTES {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        Ok((bytes.len() as u64 <= MAX_BYTES).then_some(bytes))
    };
    let bytes = read().map_err(|source| PlayerError::Read { path: path.into(), source })?;
    let wrong = |problem: String| PlayerError::Content { path: path.into(), problem };
    let bytes = bytes.ok_or_else(|| wrong(format!("larger than {} MiB", MAX_BYTES >> 20)))?;
    refuse_altered(path, &bytes).map_err(wrong)?;
    let text = String::from_utf8(bytes).map_err(|_| wrong("not UTF-8 text".into()))?;
    let name = path.to_string_lossy().replace(char::is_control, "?");
    parse_player_file(&text, &name).map_err(wrong)
}

/// Reads the text of a player file; 64 plain numbers get the name given here.
pub fn parse_player_file(text: &str, name: &str) -> Result<PlayerFile, String> {
    // Some editors start a file with a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    match text.trim_start().chars().next() {
        None => Err("the file is empty".into()),
        Some('{' | '[') => parse_json(text),
        Some(_) => {
            let (kind, view) = (ModelName::Wpc, View::Black);
            let wpc = ModelFile { kind, view, structure: None, parameters: parse_numbers(text)? };
            wpc.read()?;
            Ok(PlayerFile::new(name, wpc, serde_json::Map::new()))
        }
    }
}

/// Reads the version first, so that a newer file is reported as newer.
fn parse_json(text: &str) -> Result<PlayerFile, String> {
    let StrictValue(value) = serde_json::from_str(text).map_err(|error| {
        if error.is_data() { error.to_string() } else { format!("not JSON: {error}") }
    })?;
    if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err(format!("expected \"format\": {FORMAT:?}; this is not a player file"));
    }
    match value.get("version").and_then(Value::as_u64) {
        Some(version) if version == u64::from(VERSION) => {}
        Some(version) if version > u64::from(VERSION) => {
            return Err(format!(
                "version {version} is newer than this program, which reads up to {VERSION}"
            ));
        }
        _ => return Err(format!("expected \"version\": {VERSION}")),
    }
    match value.get("model").and_then(Value::as_str) {
        Some(model) if ModelName::ALL.iter().any(|kind| kind.name() == model) => {}
        Some(model) => {
            let names: Vec<&str> = ModelName::ALL.iter().map(|kind| kind.name()).collect();
            return Err(format!("unknown model {model:?}, expected {}", names.join(", ")));
        }
        None => return Err("the key \"model\" is missing".into()),
    }
    let file: PlayerFile =
        serde_path_to_error::deserialize(value).map_err(|error| {
            match error.path().iter().count() {
                0 => error.inner().to_string(),
                _ => format!("{}: {}", error.path(), error.inner()),
            }
        })?;
    if file.name.is_empty() || file.name.contains(char::is_control) {
        return Err(format!("the name {:?} is empty or has control characters", file.name));
    }
    file.read_model()?;
    Ok(file)
}

fn parse_numbers(text: &str) -> Result<Vec<f32>, String> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',' || c == ';');
    words
        .filter(|word| !word.is_empty())
        .enumerate()
        .map(|(index, word)| {
            let shown: String = word.chars().take(40).collect();
            word.parse().map_err(|_| format!("number {}: {shown:?} is not a number", index + 1))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::Wpc;
    use crate::othello::Board;

    /// A model that can be written to a file, but has nothing to draw.
    #[derive(Debug)]
    struct Plain(f32);

    impl Evaluate for Plain {
        fn value(&self, board: Board) -> f32 {
            self.0 * (board.own.len() as f32 - board.opp.len() as f32)
        }

        fn file(&self) -> Option<ModelFile> {
            let (kind, view) = (ModelName::Wpc, View::Black);
            Some(ModelFile { kind, view, structure: None, parameters: vec![self.0; 64] })
        }
    }

    /// A model that cannot be written.
    #[derive(Debug)]
    struct Secret;

    impl Evaluate for Secret {
        fn value(&self, _: Board) -> f32 {
            0.0
        }
    }

    fn thinking(model: Arc<dyn Evaluate>) -> Player {
        let brain = Brain::Model { model, view: View::Black };
        Player { name: "it".into(), brain, policy: Policy::default() }
    }

    #[test]
    fn a_model_needs_no_portrait_to_be_written() {
        let player = thinking(Arc::new(Plain(0.25)));
        assert!(player.portrait().is_none() && player.squares().is_none());
        let file = PlayerFile::of_player(&player, serde_json::Map::new()).unwrap();
        let file = read(&serde_json::to_string(&file).unwrap()).unwrap();
        assert_eq!(file.player().unwrap().squares(), Some([0.25; 64]));
        assert!(PlayerFile::of_player(&thinking(Arc::new(Secret)), Default::default()).is_none());
    }

    fn read(content: &str) -> Result<PlayerFile, PlayerError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        read_player_file(file.path())
    }

    fn problem(content: &str) -> String {
        match read(content) {
            Err(PlayerError::Content { problem, .. }) => problem,
            other => panic!("{other:?}"),
        }
    }

    fn sample() -> PlayerFile {
        let wpc = Wpc::new(std::array::from_fn(|i| i as f32 / 7.0 - 3.0)).unwrap();
        PlayerFile::of_model("sample", &wpc, serde_json::Map::new()).unwrap()
    }

    #[test]
    fn a_file_reads_back_to_the_last_bit() {
        let text = serde_json::to_string(&sample()).unwrap();
        let file = read(&text).unwrap();
        assert_eq!(file, sample());
        let Brain::Wpc(wpc) = file.player().unwrap().brain else { panic!("a WPC") };
        let bits = |weights: &[f32]| weights.iter().map(|w| w.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(wpc.weights()), bits(&sample().parameters));
    }

    #[test]
    fn sixty_four_numbers_are_a_wpc() {
        let text: String =
            (0..64).map(|i| format!("{i}.5,{}", if i % 8 == 7 { "\n" } else { " " })).collect();
        let Brain::Wpc(wpc) = read(&text).unwrap().player().unwrap().brain else { panic!("a WPC") };
        assert_eq!(wpc.weights()[63].to_bits(), 63.5f32.to_bits());
    }

    #[test]
    fn bad_files_say_what_is_wrong() {
        assert_eq!(problem(""), "the file is empty");
        assert_eq!(problem(" \n"), "the file is empty");
        assert_eq!(problem("1 2 3"), "3 weights, expected 64 (a1 to h8, row by row)");
        assert_eq!(problem("1 two"), "number 2: \"two\" is not a number");
        let with = |bad: &str| format!("{} {bad}", "0.1 ".repeat(63));
        assert_eq!(problem(&with("NaN")), "weight 64 is NaN, not a finite number");
        assert_eq!(problem(&with("inf")), "weight 64 is inf, not a finite number");
        assert_eq!(problem(&with("1e99")), "weight 64 is inf, not a finite number");
        let mut file = sample();
        file.parameters.pop();
        let text = serde_json::to_string(&file).unwrap();
        assert_eq!(problem(&text), "63 weights, expected 64 (a1 to h8, row by row)");
        let text = serde_json::to_string(&sample()).unwrap();
        let change = |from: &str, to: &str| problem(&text.replace(from, to));
        assert_eq!(
            change("\"version\":1", "\"version\":2"),
            "version 2 is newer than this program, which reads up to 1"
        );
        assert_eq!(change("\"version\":1", "\"version\":\"1\""), "expected \"version\": 1");
        assert_eq!(
            change("\"wpc\"", "\"wcp\""),
            "unknown model \"wcp\", expected wpc, mlp, spatial, graph"
        );
        assert!(
            change("\"view\":\"black\"", "\"view\":\"green\"").contains("unknown variant `green`")
        );
        assert!(change("\"view\"", "\"veiw\"").contains("unknown field `veiw`"));
        assert!(change("\"sample\"", "\"a\\tb\"").contains("control characters"));
        assert!(change("-3.0", "1e999").contains("number out of range"));
        assert!(change("-3.0", "NaN").starts_with("not JSON"));
        assert!(change("-3.0", "null").starts_with("parameters[0]: invalid type: null"));
        let twice = change("\"view\"", "\"name\":\"other\",\"view\"");
        assert!(twice.starts_with("the key \"name\" appears twice"), "{twice}");
        let twice = change("\"provenance\":{", "\"provenance\":{\"a\":{\"b\":1,\"b\":2}");
        assert!(twice.starts_with("the key \"b\" appears twice"), "{twice}");
        assert!(problem(&"[".repeat(100_000)).contains("recursion limit"));
        assert!(problem("{}").contains("not a player file"));
        let problem = read_player_file(Path::new("/")).unwrap_err().to_string();
        assert!(problem.contains("a folder without champion.json"), "{problem}");
        assert!(matches!(read_player_file(Path::new("/none")), Err(PlayerError::Read { .. })));
    }

    #[test]
    fn the_folder_of_a_run_is_its_champion() {
        let folder = tempfile::tempdir().unwrap();
        let text = serde_json::to_string(&sample()).unwrap();
        std::fs::write(folder.path().join("study.json"), "{}").unwrap();
        let problem = read_player_file(folder.path()).unwrap_err().to_string();
        assert!(problem.contains("a study of several runs"), "{problem}");
        std::fs::write(folder.path().join("champion.json"), text).unwrap();
        assert_eq!(read_player_file(folder.path()).unwrap(), sample());
    }
}
