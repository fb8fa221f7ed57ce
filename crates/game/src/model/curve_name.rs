//! Activation functions by name, in files.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

use outflank_kernel::Curve;

pub fn serialize<S: Serializer>(curve: &Curve, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(curve.name())
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Curve, D::Error> {
    let name = String::deserialize(deserializer)?;
    Curve::named(&name).ok_or_else(|| {
        let names = Curve::NAMES.map(|(name, _)| name).join(", ");
        let shown: String = name.chars().take(40).collect();
        D::Error::custom(format!("unknown activation {shown:?}, expected {names}"))
    })
}
