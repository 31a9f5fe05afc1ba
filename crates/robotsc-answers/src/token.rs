//! Product tokens that a person types: a name such as `FooBot`, not a whole `User-Agent` header.

/// Checks a product token: letters, digits, `. _ - + ! ~` and everything outside ASCII; or a `*` alone. Returns it.
///
/// # Errors
/// Says what is wrong and what to give. `if_header` and `if_other` end these messages: how to give a whole header, or
/// what else can be given.
pub fn checked(given: &str, if_header: &str, if_other: &str) -> Result<String, String> {
    if given.is_empty() {
        return Err("it is empty; give a product token such as FooBot".to_owned());
    }
    let is_part = |char: &char| char.is_ascii_alphanumeric() || "._-+!~".contains(*char) || !char.is_ascii();
    let other = given.chars().find(|char| !is_part(char));
    match other {
        None => Ok(given.to_owned()),
        Some('*') if given == "*" => Ok(given.to_owned()),
        Some(_) if given.trim().contains(char::is_whitespace) && given.contains('/') => {
            Err(format!("this is a whole User-Agent header; {if_header}"))
        }
        Some(':') if given.starts_with("purpose:") || given.starts_with("operator:") => Err(format!(
            "this is a group of crawlers, and one is asked about here: 'robotsc matrix' answers for groups, \
             'robotsc agents' lists them; {if_other}"
        )),
        Some(',') => Err("a product token has no comma; name each crawler on its own".to_owned()),
        Some(other) => {
            let start: String = given.chars().take_while(is_part).collect();
            // Of a URL that is its scheme.
            let is_name = !start.is_empty() && !given.contains("://");
            let start = if is_name { start.as_str() } else { "FooBot" };
            Err(format!("a product token has no {other:?}; give the name alone, such as '{start}', {if_other}"))
        }
    }
}

/// Checks a product token where no whole header can be given.
///
/// # Errors
/// If it is none.
pub fn alone(given: &str) -> Result<String, String> {
    let way_out = "'robotsc agents --header' lists the tokens of a User-Agent header";
    checked(given, "'robotsc agents --header' lists its product tokens", &format!("and {way_out}"))
}
