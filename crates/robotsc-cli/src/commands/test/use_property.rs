//! Properties of pages that are wanted for a use: the rules and the preferences together.

use robotsc::Verdict;
use robotsc::pack::WantedUse;
use robotsc::rules::Rule;
use robotsc_analysis::preferences::{EffectivePreferences, Preference, Preferences, Reading};
use robotsc_analysis::{PathPattern, PropertyError, SearchBudget, path_for_use};
use robotsc_answers::shown;

use super::subject::{MAX_SHOWN, Mismatch, Obeying, Subject, who};

/// Returns a path that some agents get a verdict for; `None` if there is none.
///
/// # Errors
/// If that is not decided.
pub(super) fn wrong(
    subject: &Subject<'_>,
    group: &Obeying,
    wanted: WantedUse,
    verdict: Verdict,
    (pattern, budget): (&PathPattern, &SearchBudget),
) -> Result<Option<Mismatch>, PropertyError> {
    let preferences = Preferences::of_selection(subject.robots, &group.selection, Reading::default());
    let Some(path) = path_for_use(&preferences, wanted, verdict, pattern, budget)? else { return Ok(None) };
    let other_form = |_| PropertyError::DialectMismatch;
    // A path that was found is one of a URL.
    let asked = subject.robots.url_path(&path).map_err(other_form)?;
    let decides = group.rules.deciding_rule(asked.as_path()).map_err(|_| PropertyError::DialectMismatch)?;
    let rule: Option<Rule> = decides.and_then(|rule| group.rules.rules().get(rule.rule as usize)).copied();
    let stated = preferences.at_path(asked.as_path()).map_err(|_| PropertyError::DialectMismatch)?;
    let (who, shown) = (who(&group.agents), shown::cut(&path, MAX_SHOWN));
    let because = subject.because(rule.as_ref());
    let word = wanted.category.as_str();
    let message = match stated {
        None => format!("{who} may not fetch paths such as {shown}: {because}"),
        Some(stated) => {
            let what = what_is_stated(&stated, wanted);
            let may = if verdict.is_allow() { "may use" } else { "may fetch, and not use," };
            format!("{who} {may} paths such as {shown} for `{word}`: {because}, and {what}")
        }
    };
    let example = shown::bytes(&path);
    Ok(Some(Mismatch { agents: group.agents.clone(), message, example, rule, other_rule: None }))
}

/// Returns what the file states of a use, and where: `line 5 says no`.
fn what_is_stated(stated: &EffectivePreferences, wanted: WantedUse) -> String {
    let preference = stated.of(wanted.category);
    if preference == Preference::Unknown {
        return "nothing is stated".to_owned();
    }
    let lines = stated.lines_of(wanted.category);
    let (word, all) = (
        if lines.len() == 1 { "line" } else { "lines" },
        robotsc_analysis::words::listed(&lines.iter().map(u32::to_string).collect::<Vec<_>>()),
    );
    format!("{word} {all} {} {preference}", if lines.len() == 1 { "says" } else { "say" })
}
