//! Names of crawlers that were meant to be others.

use strsim::osa_distance;

/// Reports whether two names are equal but for signs, or for one letter that is added, missing, changed or swapped.
/// If a short word is all that precedes `bot`, a changed letter makes another word, and another name: `SiteBot` is not
/// `LiteBot`.
///
/// ```
/// use robotsc::analysis::near_name::is_near;
///
/// assert!(is_near("Googlebot", "Gogglebot") && !is_near("Googlebot", "Googlebot-Image"));
/// ```
#[must_use]
pub fn is_near(known: &str, name: &str) -> bool {
    Plain::new(known).is_near(&Plain::new(name))
}

/// A name without signs, in lower case, to be compared with many others.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Plain {
    text: String,
    /// A bit for each byte, by its lower six bits.
    bytes: u64,
}

impl Plain {
    /// Returns a name without `-`, `_`, `.` and blanks, in lower case.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let text = name.replace(['-', '_', '.', ' '], "").to_ascii_lowercase();
        let bytes = text.bytes().fold(0, |bytes, byte| bytes | 1 << (byte & 0x3F));
        Self { text, bytes }
    }

    /// Reports whether two names are equal but for signs.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.text == other.text
    }

    /// Reports whether two names are near, as [`is_near`] does.
    #[must_use]
    pub fn is_near(&self, other: &Self) -> bool {
        let (known, name) = (&self.text, &other.text);
        // One letter in place of another changes two bits. This rules out most names at once.
        let is_far = (self.bytes ^ other.bytes).count_ones() > 2 && known.is_ascii() && name.is_ascii();
        if is_far || known.len().min(name.len()) < 5 || known.len().abs_diff(name.len()) > 1 {
            return false;
        }
        if osa_distance(known, name) > 1 {
            return false;
        }
        if known.len() != name.len() {
            return true;
        }
        let changed = || known.bytes().zip(name.bytes()).filter(|(one, other)| one != other);
        // A digit in place of another is another version.
        let is_version = changed().any(|(one, other)| one.is_ascii_digit() || other.is_ascii_digit());
        let is_other_word = changed().count() == 1 && stem(known).len() < MIN_STEM && stem(name).len() < MIN_STEM;
        !is_version && !is_other_word
    }
}

/// The length from which a word with a changed letter is taken for a slip.
const MIN_STEM: usize = 5;

/// Returns what precedes `bot` in a plain name.
fn stem(plain: &str) -> &str {
    plain.strip_suffix("bot").unwrap_or(plain)
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
            ("ShapBot", "ShopBot", false),
            ("GPTBot", "GTPBot", true),
            ("GPTBot", "GPTTBot", true),
            ("PetalBot", "PetelBot", true),
            ("Googlebot", "Gogglebot", true),
        ] {
            assert_eq!(is_near(known, name), near, "{known} {name}");
        }
    }
}
