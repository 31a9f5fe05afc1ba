//! Names of crawlers that were meant to be others.

use strsim::osa_distance;

/// Reports whether two names are equal but for signs, or for one letter that is added, missing, changed or swapped.
///
/// ```
/// use robotsc_analysis::near_name::is_near;
///
/// assert!(is_near("Googlebot", "Gogglebot") && !is_near("Googlebot", "Googlebot-Image"));
/// ```
#[must_use]
pub fn is_near(known: &str, name: &str) -> bool {
    let plain = |text: &str| text.replace(['-', '_', '.', ' '], "").to_ascii_lowercase();
    let (known, name) = (plain(known), plain(name));
    if known.len().min(name.len()) < 5 || known.len().abs_diff(name.len()) > 1 || osa_distance(&known, &name) > 1 {
        return false;
    }
    // A digit in place of another is another version.
    let mut changed = known.bytes().zip(name.bytes()).filter(|(one, other)| one != other);
    known.len() != name.len() || !changed.any(|(one, other)| one.is_ascii_digit() || other.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::is_near;

    #[test]
    fn near_names() {
        for (known, name, near) in [
            ("Omgili", "Omigili", true),
            ("Amazonbot", "amazon-bot", true),
            ("Google-CloudVertexBot", "google-cloudvertexbot", true),
            ("Terracotta", "terrecotta", true),
            ("Bytespider", "Bytesipder", true),
            ("GPTBot", "CCBot", false),
            ("AI2Bot", "AI3Bot", false),
            ("Googlebot", "Googlebot-Image", false),
            ("CCBot", "CBot", false),
        ] {
            assert_eq!(is_near(known, name), near, "{known} {name}");
        }
    }
}
