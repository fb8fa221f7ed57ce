//! The models that player files can hold. A new one is a line in [`models!`] below: its name in
//! files, its name for people, and its reader.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Evaluate, Graph, Mlp, View, Wpc};

/// The part of a player file that describes a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFile {
    /// Its kind.
    pub kind: ModelName,
    /// From whose point of view it sees boards.
    pub view: View,
    /// Its structure, if the kind does not determine it.
    pub structure: Option<Value>,
    /// Its parameters.
    pub parameters: Vec<f32>,
}

/// A model of a player file.
#[derive(Clone, Debug)]
pub enum AnyModel {
    /// A weighted piece counter, which the batch kernel plays.
    Wpc(Arc<Wpc>),
    /// Any other.
    Other(Arc<dyn Evaluate>),
}

/// Makes [`ModelName`] from one line for each model: `Variant = "name", "what it is", reader`.
macro_rules! models {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $words:literal, $read:expr;)*) => {
        /// The name of a kind of model in specs and player files.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum ModelName {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)*
        }

        impl ModelName {
            /// All kinds.
            pub const ALL: &[ModelName] = &[$(ModelName::$variant),*];

            /// The name.
            pub const fn name(self) -> &'static str {
                match self { $(ModelName::$variant => $name),* }
            }

            /// What it is, with its article.
            pub const fn in_words(self) -> &'static str {
                match self { $(ModelName::$variant => $words),* }
            }

            fn reader(self) -> fn(&ModelFile) -> Result<AnyModel, String> {
                match self { $(ModelName::$variant => $read),* }
            }
        }
    };
}

models! {
    /// A weighted piece counter.
    Wpc = "wpc", "a weighted piece counter", |file| Ok(AnyModel::Wpc(Arc::new(Wpc::read(file)?)));
    /// A multilayer perceptron.
    Mlp = "mlp", "a multilayer perceptron", |file| other(Mlp::read(file));
    /// A perceptron that sees pieces of the board.
    Spatial = "spatial", "a spatial network", |file| other(Mlp::read(file));
    /// A network of any feed-forward topology.
    Graph = "graph", "a graph", |file| other(Graph::read(file));
}

fn other(read: Result<impl Evaluate + 'static, String>) -> Result<AnyModel, String> {
    Ok(AnyModel::Other(Arc::new(read?)))
}

impl std::fmt::Display for ModelName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl ModelFile {
    /// Reads the model, or says what is wrong.
    pub fn read(&self) -> Result<AnyModel, String> {
        self.kind.reader()(self)
    }

    /// Reads the structure, which the model needs; errors say that the structure is wrong.
    pub(super) fn structured<T>(
        &self,
        read: impl FnOnce(&Value) -> Result<T, String>,
    ) -> Result<T, String> {
        let kind = self.kind.name();
        let structure = self.structure.as_ref().ok_or_else(|| {
            format!("the key \"structure\" is missing; the model {kind:?} needs it")
        })?;
        read(structure).map_err(|problem| format!("structure: {problem}"))
    }

    /// The parameters of a model that has no structure.
    pub(super) fn unstructured(&self) -> Result<&[f32], String> {
        match self.structure {
            Some(_) => Err(format!("the model {:?} has no structure", self.kind.name())),
            None => Ok(&self.parameters),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_and_is_of_one_model() {
        for (index, kind) in ModelName::ALL.iter().enumerate() {
            let text = serde_json::to_string(kind).unwrap();
            assert_eq!(text, format!("{:?}", kind.name()));
            assert_eq!(serde_json::from_str::<ModelName>(&text).unwrap(), *kind);
            assert!(ModelName::ALL[..index].iter().all(|other| other.name() != kind.name()));
        }
    }

    #[test]
    fn a_model_writes_what_is_read_as_its_kind() {
        let networks = serde_json::json!({
            "hidden": [], "activation": "tanh", "output": "sigmoid", "bias": false, "connections": [],
        });
        for &kind in ModelName::ALL {
            let keys: &[&str] = match kind {
                ModelName::Wpc => &[],
                ModelName::Mlp | ModelName::Spatial => &["hidden", "activation", "output", "bias"],
                ModelName::Graph => &["hidden", "activation", "output", "connections"],
            };
            let object: serde_json::Map<String, Value> =
                keys.iter().map(|key| (key.to_string(), networks[*key].clone())).collect();
            let structure = (!keys.is_empty()).then_some(Value::Object(object));
            // The number of parameters, found by trying.
            let view = if kind == ModelName::Wpc { View::Black } else { View::Mover };
            let read = |count| {
                let parameters = vec![0.5; count];
                ModelFile { kind, view, structure: structure.clone(), parameters }
            };
            let file = (0..2000).map(read).find(|file| file.read().is_ok()).unwrap();
            let written = match file.read().unwrap() {
                AnyModel::Wpc(wpc) => wpc.file(),
                AnyModel::Other(model) => model.file(),
            };
            assert_eq!(written, Some(file), "{kind}");
        }
    }

    #[test]
    fn a_structure_stands_where_it_belongs() {
        let (view, parameters) = (View::Black, vec![0.0; 64]);
        for &kind in ModelName::ALL {
            let structure = (kind == ModelName::Wpc).then_some(Value::Null);
            let file = ModelFile { kind, view, structure, parameters: parameters.clone() };
            let expected = match kind {
                ModelName::Wpc => "the model \"wpc\" has no structure".into(),
                _ => format!("the key \"structure\" is missing; the model \"{kind}\" needs it"),
            };
            assert_eq!(file.read().unwrap_err(), expected);
        }
    }
}
