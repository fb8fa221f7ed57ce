//! Specs as TOML: bare for programs, with comments for people.

use std::fmt::Write;

use toml::{Table, Value};

use super::Method;
use crate::Spec;
use outflank_schema::{Table as _, write};

impl Spec {
    /// The spec as TOML: every key that is not neutral, in a fixed order, without comments. The same specs
    /// have the same text, and a key that is off has none: so a key that joins the schema changes no
    /// text, and no run's identity, until it is used.
    pub fn to_toml(&self) -> String {
        write(&self.to_table(), Spec::KEYS, false)
    }

    /// Numbers above 2^63 have no TOML; [`Spec::check`] refuses them.
    pub(super) fn to_table(&self) -> Table {
        Table::try_from(self).expect("a checked spec has no number that TOML has not")
    }
}

impl Method {
    /// The method as a file for people: each key below a line that says what it means. Reading it gives
    /// the same method.
    pub fn commented(&self) -> String {
        let mut text = String::new();
        for (key, value) in [("summary", &self.summary), ("paper", &self.paper)] {
            if !value.is_empty() {
                let _ = writeln!(text, "{key} = {}", Value::String(value.clone()));
            }
        }
        text += &write(&self.spec.to_table(), Spec::KEYS, true);
        text.trim_start().into()
    }
}
