//! What a `Content-Usage` statement says of each label of a revision.

use super::dictionary::Dictionary;
use super::vocabulary::Vocabulary;
use robotsc_runtime::Preference;

/// Returns the preference for each label, in their order. A label that is not stated has the preference of its parent.
pub(super) fn read(dictionary: &Dictionary<'_>, vocabulary: &Vocabulary) -> Vec<Preference> {
    let mut preferences: Vec<Preference> = Vec::with_capacity(vocabulary.labels.len());
    for label in vocabulary.labels {
        let stated = dictionary.preference(label.name);
        let inherited = label.parent.and_then(|parent| preferences.get(parent).copied());
        preferences.push(match stated {
            Preference::Unknown => inherited.unwrap_or_default(),
            stated => stated,
        });
    }
    preferences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_trees_fall_back_to_their_parents() {
        for (revision, statement, wanted) in [
            ("01", "tdm=n, ai=y", "tdm no, ai yes, genai yes, inference no, search no"),
            ("02", "all=y, train-genai=n", "all yes, train-ai yes, train-genai no, ai-use yes, search yes"),
            ("03", "bots=n, search=y", "bots no, train-ai no, train-genai no, search yes"),
            ("04", "bots=y, ai-output=n", "bots yes, train-ai yes, ai-output no, search no"),
            // Neither `y` nor `n`: nothing is stated.
            ("04", "bots=n, train-ai=maybe", "bots no, train-ai no, ai-output no, search no"),
            ("07", "bots=n, ai-use=n, train-ai=y", "train-ai yes, search unknown"),
            ("08", "bots=n, ai-use=n, train-ai=y", "train-ai yes, ai-use no, search unknown"),
            ("00", "train-ai=n", ""),
        ] {
            let vocabulary = Vocabulary::by_name(revision).unwrap();
            let read = read(&Dictionary::parse(statement.as_bytes()).unwrap(), vocabulary);
            let shown = vocabulary.labels.iter().zip(read).map(|(label, read)| format!("{} {read}", label.name));
            assert_eq!(shown.collect::<Vec<_>>().join(", "), wanted, "{revision} {statement}");
        }
    }
}
