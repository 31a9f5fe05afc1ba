//! Names that were likely meant by unknown ones.

use super::words::quoted;

/// The most errors for which a likely name is looked for, which takes long beside the rest; not many more are shown.
pub(crate) const MAX_MEANT: usize = 50;

/// The one of `known` that was likely meant by `given`, of the first thousand.
pub(crate) fn likely<'k>(given: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    const MAX_NAMES: usize = 1_000;
    // The measure takes the product of the lengths: whoever writes a long name did not mistype a short one.
    if given.len() > 64 {
        return None;
    }
    let given = given.to_lowercase();
    let distance = |known: &str| strsim::osa_distance(&given, &known.to_lowercase());
    let near = known.into_iter().filter(|known| known.len() <= 64).take(MAX_NAMES);
    let near = near.map(|known| (distance(known), known)).min();
    near.filter(|(distance, known)| *distance <= 1.max(known.len().max(given.len()) / 3)).map(|(_, known)| known)
}

/// Returns the label under an unknown name: what was likely meant, or `otherwise`.
pub(crate) fn meant<'k>(given: &str, known: impl IntoIterator<Item = &'k str>, otherwise: &str) -> String {
    match likely(given, known) {
        Some(meant) => format!("did you mean {}?", quoted(meant)),
        None => otherwise.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likely_names() {
        for (given, known, meant) in [
            ("orgins", &["origins", "robots"][..], Some("origins")),
            ("GooglBot", &["googlebot", "bingbot"], Some("googlebot")),
            ("xyz", &["origins", "robots"], None),
            ("rfc-9309", &["rfc9309", "google"], Some("rfc9309")),
            ("", &["a-b-c"], None),
        ] {
            assert_eq!(likely(given, known.iter().copied()), meant, "{given}");
        }
        assert_eq!(likely(&"a".repeat(1 << 20), ["aa"]), None);
    }
}
