//! JSON that people can read and that detects changes: the key `checksum` has the hash of the rest.
//! Files of older programs have none.

use serde::Serialize;
use serde_json::Value;

const KEY: &str = "checksum";

/// The hash of a value as compact JSON with sorted keys, without its own checksum.
pub(super) fn checksum(content: &impl Serialize) -> String {
    let mut value = serde_json::to_value(content).expect("what is kept is plain JSON");
    if let Value::Object(object) = &mut value {
        object.remove(KEY);
    }
    value.sort_all_objects();
    blake3::hash(value.to_string().as_bytes()).to_string()
}

/// Says whether a value is as it was written; without a checksum it is assumed to be.
pub(super) fn is_whole(value: &Value) -> bool {
    value.get(KEY).is_none_or(|found| found.as_str() == Some(&checksum(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_changed_is_not_whole() {
        let mut value = json!({"b": [1.5, 0.1, u64::MAX], "a": {"z": "ü", "y": -0.0}});
        assert!(is_whole(&value));
        value[KEY] = checksum(&value).into();
        assert!(is_whole(&value));
        let read: Value =
            serde_json::from_str(&serde_json::to_string_pretty(&value).unwrap()).unwrap();
        assert!(is_whole(&read));
        for (key, other) in [("b", json!([1.5, 0.1])), ("c", json!(null)), (KEY, json!(7))] {
            let mut other_value = value.clone();
            other_value[key] = other;
            assert!(!is_whole(&other_value), "{key}");
        }
    }
}
