//! Names of crawlers that were meant to be others.

use strsim::osa_distance;

/// Reports whether two names are equal but for signs, or for one letter that is added, missing, changed or swapped.
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
        // A digit in place of another is another version.
        let mut changed = known.bytes().zip(name.bytes()).filter(|(one, other)| one != other);
        known.len() != name.len() || !changed.any(|(one, other)| one.is_ascii_digit() || other.is_ascii_digit())
    }
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
