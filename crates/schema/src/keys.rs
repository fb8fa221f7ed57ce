//! The tables of a spec, key by key: names, what they hold and what they mean. The types of the
//! spec describe themselves: their doc comments are the comments that users read, so a key is
//! written in one place.

/// A key of a table.
#[derive(Debug)]
pub struct TableKey {
    field: &'static str,
    about: &'static str,
    /// What the key holds.
    pub shape: Shape,
    /// Its value when it is off. A file may then leave the key out, and so does the canonical text,
    /// so that a new key changes no spec that does not use it. None if the key is required.
    pub neutral: Option<fn() -> toml::Value>,
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
    /// A player, as on the command line.
    Player,
    /// A player, or a study whose champions are meant.
    Origin,
    /// A list of players.
    Players,
    /// A list of players or named measures.
    Yardsticks,
    /// A list of names of statistics.
    Statistics,
    /// A list of files.
    Files,
    /// An opening book.
    Book,
    /// A list of whole numbers.
    Wholes,
    /// Two numbers.
    Interval,
    /// Any text.
    Text,
    /// A list of texts.
    Texts,
    /// A table or a value of any kind, whose meaning is checked elsewhere.
    Any,
    /// The same as another shape, but it may be missing.
    Maybe(&'static Shape),
    /// A list of tables with these keys.
    Many(&'static [TableKey]),
    /// One of these words.
    Word(&'static [Word]),
    /// A table with these keys.
    Table(&'static [TableKey]),
    /// The same, but it may be missing.
    Source(&'static [TableKey]),
    /// A table whose `kind` says which other keys it has.
    Kinds(&'static [Kind]),
    /// A table with the same keys as the one it is in; it may be missing. A function, because a
    /// table cannot hold itself.
    Again(fn() -> &'static [TableKey]),
}

/// One of the words to choose from.
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
    /// The other keys of its table.
    pub keys: &'static [TableKey],
}

impl TableKey {
    #[doc(hidden)]
    pub const fn new(
        field: &'static str,
        about: &'static str,
        shape: Shape,
        neutral: Option<fn() -> toml::Value>,
    ) -> TableKey {
        TableKey { field, about, shape, neutral }
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
    #[doc(hidden)]
    pub const fn new(name: &'static str, about: &'static str) -> Word {
        Word { name, about }
    }

    /// What the word means, in a line.
    pub fn about(&self) -> &'static str {
        self.about.trim()
    }
}

impl Kind {
    #[doc(hidden)]
    pub const fn new(name: &'static str, about: &'static str, keys: &'static [TableKey]) -> Kind {
        Kind { name, about, keys }
    }

    /// What the kind is, in a line.
    pub fn about(&self) -> &'static str {
        self.about.trim()
    }
}

impl Shape {
    /// Says whether it is checked elsewhere.
    pub(crate) fn is_any(&self) -> bool {
        matches!(self, Shape::Any)
    }

    /// The keys that a table of this shape can have; those of all kinds if it has kinds.
    pub fn keys(&self) -> impl Iterator<Item = &'static TableKey> + use<> {
        let (keys, kinds): (&'static [TableKey], &'static [Kind]) = match self {
            Shape::Table(keys) | Shape::Source(keys) | Shape::Many(keys) => (keys, &[]),
            Shape::Kinds(kinds) => (&[], kinds),
            Shape::Again(keys) => (keys(), &[]),
            _ => (&[], &[]),
        };
        keys.iter().chain(kinds.iter().flat_map(|kind| kind.keys))
    }
}

/// A type that knows its shape.
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
    u64 => Whole, usize => Whole, f64 => Number, bool => Flag, [f64; 2] => Interval,
    Vec<usize> => Wholes, PlayerName => Player, OriginName => Origin, Vec<PlayerName> => Players,
    Vec<YardstickName> => Yardsticks, Vec<StatisticName> => Statistics, Vec<FileName> => Files,
    BookName => Book,
    String => Text, Vec<String> => Texts, toml::Table => Any,
}

/// Values that a file may leave out.
macro_rules! optional {
    ($($type:ty),* $(,)?) => {$(
        impl Shaped for Option<$type> {
            const SHAPE: Shape = Shape::Maybe(&<$type as Shaped>::SHAPE);

            fn is_absent(&self) -> bool {
                self.is_none()
            }
        }
    )*};
}
optional! { f64, u64, String, [f64; 2] }

impl<T: Table> Shaped for Vec<T> {
    const SHAPE: Shape = Shape::Many(T::KEYS);
}

/// Declares types for names of things; the type says what is named.
macro_rules! names {
    ($($(#[doc = $about:literal])+ $name:ident,)+) => {$(
        $(#[doc = $about])+
        #[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl std::ops::Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> $name {
                $name(text.into())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}
names! {
    /// A player, by its name, file or run, as on the command line; empty for none.
    PlayerName,
    /// A player, or a study, by its folder: of it the champion of the run with the same seed; empty
    /// for none.
    OriginName,
    /// A benchmark opponent or a named measure, such as `utility`.
    YardstickName,
    /// A statistic of a generation.
    StatisticName,
    /// The path of a file.
    FileName,
    /// An opening book, by its file or its name; empty for none.
    BookName,
}

impl<T: Table> Shaped for Option<T> {
    const SHAPE: Shape = Shape::Source(T::KEYS);

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

/// A table in a table of the same type, if there is one.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Again<T>(pub Option<Box<T>>);

impl<T> Default for Again<T> {
    fn default() -> Again<T> {
        Again(None)
    }
}

impl<T> Again<T> {
    /// The table.
    pub fn get(&self) -> Option<&T> {
        self.0.as_deref()
    }
}

impl<T: Table> Shaped for Again<T> {
    const SHAPE: Shape = Shape::Again(|| T::KEYS);

    fn is_absent(&self) -> bool {
        self.0.is_none()
    }
}

/// A struct that is a table.
pub trait Table {
    /// Its keys, in the order in which they are written.
    const KEYS: &'static [TableKey];
}

/// Declares a struct that is a table; its fields' comments are the keys' comments.
#[macro_export]
macro_rules! table {
    ($(#[doc = $about:literal])+ pub struct $name:ident {
        $($(#[doc = $doc:literal])+ pub $field:ident: $type:ty $(= $neutral:expr)?,)*
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "kebab-case", deny_unknown_fields)]
        pub struct $name {
            $($(#[doc = $doc])+
            #[serde(skip_serializing_if = "outflank_schema::Shaped::is_absent")]
            pub $field: $type,)*
        }
        impl $crate::Table for $name {
            const KEYS: &'static [$crate::TableKey] = &[
                $($crate::TableKey::new(
                    stringify!($field),
                    concat!($($doc),+),
                    <$type as $crate::Shaped>::SHAPE,
                    $crate::neutral!($type $(, $neutral)?),
                )),*
            ];
        }
        impl $crate::Shaped for $name {
            const SHAPE: $crate::Shape =
                $crate::Shape::Table(<Self as $crate::Table>::KEYS);
        }
    };
}

/// The neutral value of a key, if it has one.
#[macro_export]
macro_rules! neutral {
    ($type:ty) => {
        None
    };
    ($type:ty, $neutral:expr) => {
        Some(|| {
            let neutral: $type = $neutral;
            $crate::toml::Value::try_from(neutral).expect("a neutral value is plain TOML")
        })
    };
}

/// Declares an axis: an enum whose values are tables with a `kind`. Each value is a file: its table
/// implements the trait of the axis.
#[macro_export]
macro_rules! axis {
    ($(#[doc = $about:literal])+ pub enum $name:ident: $kind_of:ident {
        $($(#[doc = $doc:literal])+ $variant:ident($type:ty) = $kind:literal,)+
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(tag = "kind")]
        pub enum $name {
            $($(#[doc = $doc])+ #[serde(rename = $kind)] $variant($type),)+
        }
        impl $crate::Shaped for $name {
            const SHAPE: $crate::Shape = $crate::Shape::Kinds(&[
                $($crate::Kind::new(
                    $kind,
                    concat!($($doc),+),
                    <$type as $crate::Table>::KEYS,
                )),+
            ]);
        }
        impl $name {
            /// How the kinds are written, in order.
            pub const NAMES: &[&str] = &[$($kind),+];

            /// How the kind is written.
            pub fn kind(&self) -> &'static str {
                match self {
                    $($name::$variant(_) => $kind,)+
                }
            }

            /// A small sample of each kind, for tests of laws.
            pub fn samples() -> Vec<$name> {
                vec![$($name::$variant(<$type as $kind_of>::sample())),+]
            }
        }
        impl std::ops::Deref for $name {
            type Target = dyn $kind_of;

            fn deref(&self) -> &Self::Target {
                match self {
                    $($name::$variant(value) => value,)+
                }
            }
        }
        impl std::ops::DerefMut for $name {
            fn deref_mut(&mut self) -> &mut Self::Target {
                match self {
                    $($name::$variant(value) => value,)+
                }
            }
        }
    };
}

/// Declares an enum that is a word.
#[macro_export]
macro_rules! words {
    ($(#[doc = $about:literal])+ pub enum $name:ident {
        $($(#[doc = $doc:literal])+ $variant:ident = $word:literal,)+
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[doc = $doc])+ #[serde(rename = $word)] $variant,)+
        }
        impl $crate::Shaped for $name {
            const SHAPE: $crate::Shape = $crate::Shape::Word(&[
                $($crate::Word::new($word, concat!($($doc),+))),+
            ]);
        }
    };
}
