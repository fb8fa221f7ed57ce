//! The tables of a spec, key by key: names, what they hold and what they mean. The types of the spec
//! tell it themselves: their doc comments are the comments that users read, so there is one place
//! to write a key.

/// A key of a table.
#[derive(Debug)]
pub struct Key {
    field: &'static str,
    about: &'static str,
    /// What the key holds.
    pub shape: Shape,
}

/// What a key holds.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A whole number, 0 or more.
    Whole,
    /// Any number.
    Number,
    /// True or false.
    Flag,
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// A list of whole numbers.
    Wholes,
    /// Two numbers.
    Interval,
    /// One of these words.
    Word(&'static [Word]),
    /// A table with these keys.
    Table(&'static [Key]),
    /// The same, but it may be missing.
    Source(&'static [Key]),
    /// A table whose `kind` says which other keys it has.
    Kinds(&'static [Kind]),
}

/// A word that can be chosen.
#[derive(Debug)]
pub struct Word {
    /// How it is written.
    pub name: &'static str,
    about: &'static str,
}

/// A value of an axis.
#[derive(Debug)]
pub struct Kind {
    /// How it is written.
    pub name: &'static str,
    about: &'static str,
    /// What else its table has.
    pub keys: &'static [Key],
}

impl Key {
    pub(super) const fn new(field: &'static str, about: &'static str, shape: Shape) -> Key {
        Key { field, about, shape }
    }

    /// How the key is written.
    pub fn name(&self) -> String {
        self.field.replace('_', "-")
    }

    /// What the key means, in a line.
    pub fn about(&self) -> &'static str {
        self.about.trim()
    }
}

impl Word {
    pub(super) const fn new(name: &'static str, about: &'static str) -> Word {
        Word { name, about }
    }

    /// What the word means, in a line.
    pub fn about(&self) -> &'static str {
        self.about.trim()
    }
}

impl Kind {
    pub(super) const fn new(name: &'static str, about: &'static str, keys: &'static [Key]) -> Kind {
        Kind { name, about, keys }
    }

    /// What the kind is, in a line.
    pub fn about(&self) -> &'static str {
        self.about.trim()
    }
}

impl Shape {
    /// The keys that a table of this shape can have; of all its kinds if it has kinds.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> + use<> {
        let (keys, kinds): (&'static [Key], &'static [Kind]) = match self {
            Shape::Table(keys) | Shape::Source(keys) => (keys, &[]),
            Shape::Kinds(kinds) => (&[], kinds),
            _ => (&[], &[]),
        };
        keys.iter().chain(kinds.iter().flat_map(|kind| kind.keys))
    }
}

/// A type that tells its shape.
pub trait Shaped {
    /// What it looks like in a file.
    const SHAPE: Shape;

    /// Says whether it is left out of a file.
    fn is_absent(&self) -> bool {
        false
    }
}

macro_rules! shapes {
    ($($type:ty => $shape:ident),* $(,)?) => {
        $(impl Shaped for $type { const SHAPE: Shape = Shape::$shape; })*
    };
}
shapes! {
    u64 => Whole, usize => Whole, f64 => Number, bool => Flag, Vec<String> => Texts,
    [f64; 2] => Interval, String => Text, Vec<usize> => Wholes,
}

impl<T: Table> Shaped for Option<T> {
    const SHAPE: Shape = Shape::Source(T::KEYS);

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

/// A struct that is a table.
pub trait Table {
    /// Its keys, in the order in which they are written.
    const KEYS: &'static [Key];
}

/// Declares a struct that is a table; its fields' comments are the keys' comments.
macro_rules! table {
    ($(#[doc = $about:literal])+ pub struct $name:ident {
        $($(#[doc = $doc:literal])+ pub $field:ident: $type:ty,)*
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case", deny_unknown_fields)]
        pub struct $name {
            $($(#[doc = $doc])+
            #[serde(skip_serializing_if = "Shaped::is_absent")]
            pub $field: $type,)*
        }
        impl Table for $name {
            const KEYS: &'static [Key] = &[
                $(Key::new(stringify!($field), concat!($($doc),+), <$type as Shaped>::SHAPE)),*
            ];
        }
        impl Shaped for $name {
            const SHAPE: Shape = Shape::Table(Self::KEYS);
        }
    };
}

/// Declares an axis: an enum whose values are tables with a `kind`.
macro_rules! axis {
    ($(#[doc = $about:literal])+ pub enum $name:ident {
        $($(#[doc = $doc:literal])+ $variant:ident($type:ty) = $kind:literal,)+
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind")]
        pub enum $name {
            $($(#[doc = $doc])+ #[serde(rename = $kind)] $variant($type),)+
        }
        impl Shaped for $name {
            const SHAPE: Shape = Shape::Kinds(&[
                $(Kind::new($kind, concat!($($doc),+), <$type as Table>::KEYS)),+
            ]);
        }
    };
}

/// Declares an enum that is a word.
macro_rules! words {
    ($(#[doc = $about:literal])+ pub enum $name:ident {
        $($(#[doc = $doc:literal])+ $variant:ident = $word:literal,)+
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $name {
            $($(#[doc = $doc])+ #[serde(rename = $word)] $variant,)+
        }
        impl Shaped for $name {
            const SHAPE: Shape = Shape::Word(&[$(Word::new($word, concat!($($doc),+))),+]);
        }
    };
}

pub(super) use {axis, table, words};
