//! What pages are wanted for: the same words on command lines and in `robotsc.toml`.

use clap::ValueEnum;
use robotsc::Verdict;
use robotsc::pack::{Category, WantedUse};
use serde::Deserialize;

/// What pages are wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum UseArg {
    /// To train a model: train-ai of Content-Usage, ai-train of Content-Signal
    Train,
    /// As input of a model that answers: ai-use, ai-input
    Input,
    /// For a search index: search
    Search,
}

/// What to do with pages whose use is stated neither way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum UnknownUseArg {
    /// Take them as if the site said yes
    Allow,
    /// Take them as if the site said no
    Deny,
}

/// Returns what pages are wanted for; `None` without both. There is no default for what is not stated.
pub(crate) const fn wanted(wanted: Option<UseArg>, unknown_use: Option<UnknownUseArg>) -> Option<WantedUse> {
    let (Some(wanted), Some(unknown_use)) = (wanted, unknown_use) else { return None };
    let category = match wanted {
        UseArg::Train => Category::Training,
        UseArg::Input => Category::ModelInput,
        UseArg::Search => Category::Search,
    };
    let if_unknown = match unknown_use {
        UnknownUseArg::Allow => Verdict::Allow,
        UnknownUseArg::Deny => Verdict::Disallow,
    };
    Some(WantedUse { category, if_unknown })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_library() {
        for arg in UseArg::value_variants() {
            let word = arg.to_possible_value().expect("it can be written");
            let use_of = wanted(Some(*arg), Some(UnknownUseArg::Deny)).expect("both");
            assert_eq!(word.get_name(), use_of.category.as_str());
        }
        assert_eq!(UseArg::value_variants().len(), Category::ALL.len());
    }
}
