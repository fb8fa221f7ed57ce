//! What a user probably meant by a misspelt word.

/// The candidate most similar to the text, if one is similar enough.
pub fn nearest<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(written, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate.into())
}

/// "a, b or c".
pub fn one_of(words: &[&str]) -> String {
    match words {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// The end of a message: what was probably meant, in brackets.
pub fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |nearest| format!(" (did you mean {nearest}?)"))
}
