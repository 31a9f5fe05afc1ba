//! Names of rule sets as names in Rust.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::format_ident;

/// What a rule set is called in the text.
#[derive(Clone, Debug)]
pub(super) struct SetNames {
    /// `crawl-hygiene`: the `static` is `CRAWL_HYGIENE`.
    pub(super) constant: Ident,
    /// Its bytes are in files with this in their names.
    pub(super) file: String,
}

/// Names given so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// The names for a rule set. Of two rule sets whose names come to the same, the second gets a number.
    pub(super) fn of(&mut self, name: &str) -> SetNames {
        let word = |char: char| if char.is_ascii_alphanumeric() { char.to_ascii_lowercase() } else { '_' };
        let mut base: String = name.chars().map(word).collect();
        if !base.starts_with(|first: char| first.is_ascii_lowercase()) || base == "sets" {
            base.insert_str(0, "set_");
        }
        let mut unique = base.clone();
        let mut number = 2_u32;
        while !self.taken.insert(unique.clone()) {
            unique = format!("{base}_{number}");
            number += 1;
        }
        SetNames { constant: format_ident!("{}", unique.to_ascii_uppercase()), file: unique }
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_are_rust_and_unique() {
        let mut names = Names::default();
        for (name, constant) in [
            ("crawl-hygiene", "CRAWL_HYGIENE"),
            ("crawl_hygiene", "CRAWL_HYGIENE_2"),
            ("2024", "SET_2024"),
            ("sets", "SET_SETS"),
            ("type", "TYPE"),
            ("", "SET_"),
            ("\u{e4}", "SET__"),
        ] {
            assert_eq!(names.of(name).constant.to_string(), constant, "{name}");
        }
    }
}
