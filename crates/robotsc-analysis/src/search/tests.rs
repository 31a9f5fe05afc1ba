use robotsc_compiler::pattern_matches;

use super::positions::Block;
use super::*;

const UNCHANGED: Reader = Reader::Unchanged;

fn find(must: &[&str], must_not: &[&str]) -> Option<String> {
    let terms = |patterns: &[&'static str]| -> Vec<Term<'static>> {
        patterns.iter().map(|pattern| Term::new(pattern.as_bytes(), UNCHANGED)).collect()
    };
    let leak = |patterns: &[&str]| -> Vec<&'static str> {
        patterns.iter().map(|pattern| &*String::leak((*pattern).to_owned())).collect()
    };
    let found = shortest_path(
        &terms(&leak(must)),
        &terms(&leak(must_not)),
        SearchSpace { paths: Paths::Urls, readers: [UNCHANGED; 2] },
        &SearchBudget::default(),
    )
    .expect("decided");
    found.map(|path| String::from_utf8(path).expect("ASCII"))
}

/// Patterns of `/!x`, for each byte `!` of these.
fn one_byte_and_x(bytes: impl Iterator<Item = u8>) -> Vec<Vec<u8>> {
    bytes.map(|byte| [b"/", &[byte][..], b"x$"].concat()).collect()
}

#[test]
fn patterns_that_hold_all_common_bytes() {
    // `"` would be the next sign, and is in no URL.
    for (signs, wanted) in [("-_~/.?=&!$", "/(x"), ("-_~/.?=&!$()*+,;:@", "/%x")] {
        let is_common = |byte: &u8| byte.is_ascii_alphanumeric() || signs.as_bytes().contains(byte);
        let mut patterns = one_byte_and_x((b'!'..=b'~').filter(is_common));
        patterns.push(b"/x$".to_vec());
        // The byte, and not a wildcard, is what `/(x` and `/%x` have.
        patterns.retain(|pattern| pattern != b"/*x$");
        let must_not: Vec<_> = patterns.iter().map(|pattern| Term::new(pattern, UNCHANGED)).collect();
        let must = [Term::new(b"/*x$", UNCHANGED)];
        let space = SearchSpace { paths: Paths::Urls, readers: [UNCHANGED; 2] };
        let found = shortest_path(&must, &must_not, space, &SearchBudget::default()).expect("decided");
        assert_eq!(found.as_deref(), Some(wanted.as_bytes()));
    }
}

#[test]
fn patterns_that_only_an_escape_matches() {
    // All but `'` and `%`, which the canonical form can write in place of escapes.
    let all = (b'!'..=b'~').filter(|byte| !matches!(byte, b'\'' | b'%') && is_in_urls(*byte));
    let reader = Reader::Canonical { query_reserved: true };
    let mut patterns = one_byte_and_x(all.filter(|byte| *byte == b'?' || !Reader::escapes_plain(*byte)));
    patterns.extend([b"/x$".to_vec(), b"/'x$".to_vec(), b"/%x$".to_vec()]);
    let must_not: Vec<_> = patterns.iter().map(|pattern| Term::new(pattern, reader)).collect();
    let must = [Term::new(b"/*x$", reader)];
    let space = SearchSpace { paths: Paths::Urls, readers: [reader; 2] };
    let found = shortest_path(&must, &must_not, space, &SearchBudget::default()).expect("decided");
    let path = found.expect("a path of four bytes");
    let is_matched = |pattern: &Vec<u8>| pattern_matches(pattern, &path);
    assert!(path.len() == 4 && !patterns.iter().any(is_matched), "{}", path.escape_ascii());
}

#[test]
fn shortest_paths() {
    for (must, must_not, wanted) in [
        (&["/"][..], &[][..], Some("/")),
        (&["*"], &[], Some("/")),
        (&[""], &[], Some("/")),
        (&["/"], &["/$"], Some("/x")),
        (&["/a*c"], &["/ac"], Some("/axc")),
        (&["/a*c"], &["/ab"], Some("/ac")),
        (&["/a*c$", "/*b"], &[], Some("/abc")),
        (&["/a"], &["/a"], None),
        (&["/ab"], &["/a"], None),
        (&["/*?a="], &["/*?"], None),
        (&["/*?a="], &["/?"], Some("/x?a=")),
        (&["/*.php$"], &["*.php"], None),
        (&["/*.php"], &["*.php$"], Some("/.phpx")),
        // What no client sends.
        (&["/a b"], &[], None),
        (&["/../a"], &[], None),
        (&["/a/.."], &[], Some("/a/..x")),
        (&["/a/..$"], &[], None),
        (&["/%aa"], &[], Some("/%aa")),
        (&["/%c3%a4"], &[], None),
        (&["/*{"], &[], Some("/?{")),
    ] {
        let wanted = wanted.map(str::to_owned);
        // `%aa` in lower case is no path that is compared: patterns are normal.
        if must == ["/%aa"] {
            assert_eq!(find(must, must_not), None);
            continue;
        }
        assert_eq!(find(must, must_not), wanted, "{must:?} {must_not:?}");
    }
}

/// Each tail of one pattern covers about as many of the other: without a limit, half a million.
#[test]
fn covers_are_few_and_counted() {
    let must = ["/", &"a".repeat(100), &"*a".repeat(1000)].concat();
    let must_not = ["/", &"*a".repeat(1090)].concat();
    let [must, must_not] = [&must, &must_not].map(|text| [Term::new(text.as_bytes(), UNCHANGED)]);
    let block = Block::new(UNCHANGED, &must, &must_not, 0);
    assert!((1..10_000).contains(&block.cover_words()), "{}", block.cover_words());
    assert!(block.work() < 200_000, "{}", block.work());
    // Finding them and looking at them in each step count as work.
    let space = SearchSpace { paths: Paths::Urls, readers: [UNCHANGED; 2] };
    let budget = SearchBudget::new(1 << 16, 1 << 20);
    let found = shortest_path(&must, &must_not, space, &budget);
    assert_eq!(found, Err(NotDecided));
    assert!((1 << 20) - budget.left() > block.work() + block.cover_words(), "{}", budget.left());
}
