//! Specs as TOML: canonical for programs, with comments for people.

use std::fmt::Write;

use toml::{Table, Value};

use super::Method;
use crate::Spec;
use outflank_schema::{Table as _, write};

impl Spec {
    /// The spec as canonical TOML: every key that is not neutral, in a fixed order, without
    /// comments. Equal specs have equal text. A new key with its neutral value is left out, so it
    /// changes no text, and the id of no run, until it is used.
    pub fn to_toml(&self) -> String {
        write(&self.to_table(), Spec::KEYS, false)
    }

    /// TOML has no numbers above 2^63; [`Spec::check`] refuses them.
    pub(super) fn to_table(&self) -> Table {
        Table::try_from(self).expect("a checked spec has only numbers that TOML has")
    }
}

impl Method {
    /// The method as a file for people: each key is below a comment that says what it means. The
    /// file can be read back as the same method.
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
