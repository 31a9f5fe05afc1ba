//! Inputs made to hurt: long runs of stars, many rules, long lines, long URLs.

/// One file and the path that is asked of it.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) body: Vec<u8>,
    pub(crate) path: String,
}

/// How many rules are probed.
const PROBES: usize = 20;

impl Case {
    /// Paths that single rules of the file match, spread over it: an engine that has lost rules answers them wrongly.
    pub(crate) fn probes(&self) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.body);
        let patterns: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split_once(": "))
            .map(|(_, value)| value)
            .filter(|value| value.starts_with('/'))
            .collect();
        let step = (patterns.len() / PROBES).max(1);
        let chosen = patterns.iter().step_by(step).take(PROBES);
        chosen.map(|pattern| pattern.trim_end_matches('$').replace('*', "q").chars().take(4096).collect()).collect()
    }
}

/// The most that a dialect reads of a file.
const FILE: usize = 512_000;

/// The names of all cases, in the order of the table.
pub(crate) const NAMES: [&str; 18] = [
    "stars500k",
    "onestar500k",
    "aaab-2k",
    "aaab-16k",
    "aaab-rules-2k",
    "10k-prefix",
    "10k-wild",
    "100k-prefix",
    "longurl-10k",
    "dollar-stars",
    "deepshare",
    "one-line-500k",
    "ua-flood",
    "starflood-line",
    "stars500k-mixed",
    "10k-wild-mixed",
    "10k-prefix-mixed",
    "star-pairs-mixed",
];

/// Makes the case of that name.
pub(crate) fn make(name: &str) -> Option<Case> {
    let name = *NAMES.iter().find(|known| **known == name)?;
    let (body, path) = match name {
        "stars500k" => (filled(|n| format!("/*a*b*c{n}*d*e*f*g*h*")), padded("/", "abc1defgi", 2048)),
        "onestar500k" => (filled(|n| format!("/{}b{n}", "*a".repeat(8000))), padded("/", "a", 2048)),
        "aaab-2k" => (rules(1, |_| aaab("")), padded("/", "a", 2048)),
        "aaab-16k" => (rules(1, |_| aaab("")), padded("/", "a", 16_384)),
        "aaab-rules-2k" => (rules(100, |n| aaab(&n.to_string())), padded("/", "a", 2048)),
        "10k-prefix" => (rules(10_000, |n| format!("/section/{n}/item")), padded("/section/9999/ite", "x", 2048)),
        "10k-wild" => (rules(10_000, |n| format!("/*/p{n}*.php$")), padded("/x", "/p1234/p77.phq", 2048)),
        "100k-prefix" => (filled(|n| format!("/{n}")), padded("/x", "9", 2048)),
        "longurl-10k" => (rules(10_000, |n| format!("/section/{n}/item")), padded("/section/9999/ite", "x", 16_384)),
        "dollar-stars" => (rules(1000, |n| format!("/*x*{n}$")), padded("/", "x1", 2049)),
        "deepshare" => {
            let shared = padded("/", "deep/er/", 231);
            (rules(2000, |n| format!("{shared}{n}")), padded(&shared, "x", 2048))
        }
        "one-line-500k" => (rules(1, |_| format!("/{}b", "*a".repeat(255_000))), padded("/", "a", 2048)),
        "ua-flood" => (
            (0..20_000)
                .map(|n| format!("User-agent: {}\nDisallow: /{n}\n", letters(n)))
                .collect::<String>()
                .into_bytes(),
            padded("/", "a", 2048),
        ),
        "starflood-line" => (rules(1, |_| format!("/{}x", "*".repeat(16_000))), padded("/", "a", 2048)),
        // One rule in two says Allow and lengths vary, so that no two neighbours in rank can be taken together.
        "stars500k-mixed" => {
            (mixed(26_000, |n| format!("/*a*b*c{n}*d*e*f*{}", pad(n))), padded("/", "abc1defgi", 2048))
        }
        "10k-wild-mixed" => {
            (mixed(10_000, |n| format!("/*/p{n}*{}.php$", pad(n))), padded("/x", "/p1234/p77.phq", 2048))
        }
        "10k-prefix-mixed" => {
            let scattered = |n: usize| (n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
            (
                mixed(10_000, |n| format!("/{:x}/{}", scattered(n), pad(n))),
                format!("/{:x}/{}", scattered(9999), pad(9999)),
            )
        }
        "star-pairs-mixed" => {
            (mixed(2500, |n| format!("/*a{}x*b{}y{}", n / 50, n % 50, pad(n))), padded("/", "a1xa22xa3xb4yb44", 2048))
        }
        _ => return None,
    };
    Some(Case { body, path })
}

fn aaab(end: &str) -> String {
    format!("/{}*b{end}", "*a".repeat(20))
}

/// A group for everybody with so many rules.
fn rules(count: usize, pattern: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = String::from("User-agent: *\n");
    for number in 0..count {
        text.push_str(&format!("Disallow: {}\n", pattern(number)));
    }
    text.into_bytes()
}

/// A group for everybody with so many rules, `Allow` and `Disallow` by turns, but no more than a file may hold.
fn mixed(count: usize, pattern: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = String::from("User-agent: *\n");
    for number in 0..count {
        let line = format!("{}: {}\n", if number % 2 == 0 { "Disallow" } else { "Allow" }, pattern(number));
        if text.len() + line.len() > FILE {
            break;
        }
        text.push_str(&line);
    }
    text.into_bytes()
}

/// An ending whose length changes from rule to rule.
fn pad(number: usize) -> &'static str {
    &"zzzzzzzzzzzzzzzzzzzzzzzz"[..number % 23]
}

/// A group for everybody with as many rules as a file may hold.
fn filled(pattern: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = String::from("User-agent: *\n");
    for number in 0.. {
        let line = format!("Disallow: {}\n", pattern(number));
        if text.len() + line.len() > FILE {
            break;
        }
        text.push_str(&line);
    }
    text.into_bytes()
}

/// `start`, then `unit` over and over, `length` bytes in all.
fn padded(start: &str, unit: &str, length: usize) -> String {
    start.chars().chain(unit.chars().cycle()).take(length).collect()
}

/// A product token that is another for each number.
fn letters(number: usize) -> String {
    let mut token = String::from("b");
    let mut rest = number;
    for _ in 0..4 {
        token.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
    }
    token
}

#[cfg(test)]
mod tests {
    use super::{NAMES, make};

    #[test]
    fn every_name_makes_a_case() {
        for name in NAMES {
            let case = make(name).expect("a case");
            assert!(case.path.starts_with('/'), "{name}");
            assert!(!case.body.is_empty(), "{name}");
        }
        assert!(make("none").is_none());
    }
}
