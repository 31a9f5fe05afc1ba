//! Texts of rule sets as messages quote them: on one line, escaped, and cut.

/// Whether a character is shown as it is: no control, and no mark that turns or hides text.
pub(super) fn is_safe(char: char) -> bool {
    !char.is_control()
        && !matches!(char, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
        && !matches!(char, '\u{61C}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// Text on one line, in which what is not graphic is escaped.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        if is_safe(char) {
            shown.push(char);
        } else {
            shown.extend(char.escape_default());
        }
    }
    shown
}

/// Text for a message, in backticks: what is not graphic is escaped, and what is long is cut.
pub(crate) fn quoted(text: &str) -> String {
    const MAX_CHARS: usize = 120;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("`{}…`", shown(&text[..end])),
        None => format!("`{}`", shown(text)),
    }
}

/// Some of `names`, for a message.
pub(crate) fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    const MAX_LISTED: usize = 12;
    let mut names = names.into_iter();
    let mut list = names.by_ref().take(MAX_LISTED).map(quoted).collect::<Vec<_>>().join(", ");
    let more = names.count();
    if more > 0 {
        list.push_str(&format!(" and {more} more"));
    }
    list
}
