//! Declared rule sets, and what they are asked.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use robotsc_build::CompiledSet;
use robotsc_build::limits::BuildLimits;
use robotsc_build::load::load_dir;
use robotsc_build::model::{DeclaredRule, DeclaredSet, RulePlace, Test};
use robotsc_compiler::{Crawler, Dialect, RobotsTxt, RuleKind, RuleSet, Verdict};

/// A set and its questions: agent and path.
pub(crate) struct Questioned {
    pub(crate) set: DeclaredSet,
    pub(crate) questions: Vec<(String, Vec<u8>)>,
}

/// The same numbers in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % sides as u64) as usize
    }

    fn of<'t>(&mut self, items: &[&'t str]) -> &'t str {
        items[self.below(items.len())]
    }

    /// Some pieces one after the other.
    fn text(&mut self, pieces: &[&str], most: usize) -> String {
        (0..self.below(most + 1)).map(|_| self.of(pieces)).collect()
    }

    /// A pattern's bytes, with something for its stars.
    fn filled(&mut self, pattern: &[u8]) -> Vec<u8> {
        let mut path = Vec::new();
        for &byte in pattern.strip_suffix(b"$").unwrap_or(pattern) {
            match byte {
                b'*' => path.extend_from_slice(self.text(&["a", "b", "/", "c"], 4).as_bytes()),
                byte => path.push(byte),
            }
        }
        if self.below(2) == 0 {
            path.extend_from_slice(self.text(&["a", "b", "/", "?", "&", "c", "$"], 4).as_bytes());
        }
        path
    }
}

const PIECES: &[&str] = &["a", "b", "ab", "abcab", "/", "*", "?a=", "aaaaaaab", "&b"];
const REGEXES: &[&str] =
    &["/a+b", "[^?]*b$", "/(?:ab|b)*c?$", "/.*aa.*/", "[^?]*\\?(?:.*&)?a=", "/a{2,4}$", "(?i)/AB", "/"];
const AGENTS: &[&str] = &["foobot", "foobot-image", "barbot", "b"];
const ASKERS: &[&str] = &["FooBot", "foobot-image", "FOOBOT-NEWS", "BarBot", "BarBots", "b", "x", ""];

/// Random sets, small and full of collisions.
pub(crate) fn random(count: usize) -> Vec<Questioned> {
    (0..count as u64).map(|seed| random_set(&mut Dice(seed.wrapping_mul(77)))).collect()
}

fn random_set(dice: &mut Dice) -> Questioned {
    let dialect = Dialect::ALL[dice.below(Dialect::ALL.len())].clone();
    let mut places = Vec::new();
    let mut place = |text: String| {
        places.push(RulePlace { file: format!("{}.ron", text.len() % 3), line: places.len() as u32 * 2 + 1, text });
        places.len() as u32
    };
    let mut patterns: Vec<Vec<u8>> = Vec::new();
    let mut rule_set = |dice: &mut Dice, place: &mut dyn FnMut(String) -> u32| {
        let most = if dice.below(8) == 0 { 60 } else { 7 };
        let count = dice.below(most);
        let rules: Vec<_> = (0..count)
            .map(|_| {
                let end = if dice.below(5) == 0 { "$" } else { "" };
                let pattern = format!("{}{}{end}", dice.of(&["/", "/", "*", ""]), dice.text(PIECES, 5));
                let kind = if dice.below(3) == 0 { RuleKind::Allow } else { RuleKind::Disallow };
                patterns.push(pattern.clone().into_bytes());
                let line = place(format!("{kind:?}: {pattern}"));
                (kind, pattern, line)
            })
            .collect();
        RuleSet::from_rules(&dialect, rules)
    };
    let named = dice.below(AGENTS.len() + 1);
    let mut agents: Vec<(String, RuleSet)> =
        AGENTS[..named].iter().map(|agent| ((*agent).to_owned(), rule_set(dice, &mut place))).collect();
    agents.sort_by(|a, b| a.0.cmp(&b.0));
    if agents.len() > 2 {
        agents[1].1 = agents[0].1.clone();
    }
    let star = (dice.below(4) > 0).then(|| rule_set(dice, &mut place));
    let mut rules = Vec::new();
    for number in 0..dice.below(3) * dice.below(4) {
        let test = match dice.below(4) {
            0 => Test::Regex(dice.of(REGEXES).to_owned()),
            1 => Test::Query(dice.of(&["a", "b", "ab", "sid"]).as_bytes().to_vec()),
            _ => {
                let end = if dice.below(5) == 0 { "$" } else { "" };
                let pattern = format!("{}{}{end}", dice.of(&["/", "*"]), dice.text(PIECES, 4));
                let pattern = dialect.normalize_pattern(pattern.as_bytes());
                patterns.push(pattern.clone());
                Test::Path(pattern)
            }
        };
        // Some match no path, or mean two things.
        if !is_accepted(&dialect, &test) {
            continue;
        }
        let verdict = if dice.below(3) == 0 { Verdict::Allow } else { Verdict::Disallow };
        let name = (dice.below(2) == 0).then(|| format!("rule-{number}"));
        rules.push(DeclaredRule { verdict, name, place: place(format!("{test:?}")), test });
    }
    let mut questions = Vec::new();
    for _ in 0..40 {
        let agent = dice.of(ASKERS).to_owned();
        let path = match dice.below(3) {
            0 if !patterns.is_empty() => {
                let pattern = patterns[dice.below(patterns.len())].clone();
                dice.filled(&pattern)
            }
            _ => format!("/{}", dice.text(&["a", "b", "ab", "/", "?", "&", ";", "=", "aaaa", "c"], 9)).into_bytes(),
        };
        questions.push((agent, dialect.raw_path(&path).as_bytes().to_vec()));
    }
    questions.push((String::new(), Vec::new()));
    questions.push(("FooBot".to_owned(), [&b"/"[..], &b"aaaaaaa".repeat(40)].concat()));
    let set = DeclaredSet {
        name: String::new(),
        description: String::new(),
        dialect,
        origins: Vec::new(),
        agents,
        star,
        rules,
        places,
    };
    Questioned { set, questions }
}

/// Reports whether a rule set with this rule alone compiles.
fn is_accepted(dialect: &Dialect, test: &Test) -> bool {
    let rule = DeclaredRule { verdict: Verdict::Allow, name: None, place: 0, test: test.clone() };
    let set = DeclaredSet {
        name: String::new(),
        description: String::new(),
        dialect: dialect.clone(),
        origins: Vec::new(),
        agents: Vec::new(),
        star: None,
        rules: vec![rule],
        places: Vec::new(),
    };
    CompiledSet::of(&set).is_ok()
}

/// A set so large that its groups have one program each, with lines far apart and texts of every length.
pub(crate) fn large() -> Questioned {
    let mut dice = Dice(5);
    let dialect = Dialect::GOOGLE;
    let (mut places, mut questions) = (Vec::new(), Vec::new());
    let mut line = 0;
    let mut rule_set = |count: usize| {
        let mut rules = Vec::new();
        for _ in 0..count {
            let folder = |dice: &mut Dice| format!("/{}{:x}", dice.of(&["cart", "blog", "tag"]), dice.below(3_000));
            let depth = 1 + dice.below(3);
            let mut pattern: String = (0..depth).map(|_| folder(&mut dice)).collect();
            pattern.push_str(dice.of(&["", "", "", "/*?a=", "*/print$"]));
            let kind = if dice.below(5) == 0 { RuleKind::Allow } else { RuleKind::Disallow };
            line += [1, 1, 1, 2, 400][dice.below(5)];
            let padding = [0, 0, 0, 180, 254, 300][dice.below(6)];
            let text = format!("{kind:?}: {pattern}{:padding$}", "");
            places.push(RulePlace { file: "large.ron".to_owned(), line, text });
            if dice.below(48) == 0 {
                let agent = dice.of(&["FooBot", "BarBot"]).to_owned();
                questions.push((agent, dialect.raw_path(&dice.filled(pattern.as_bytes())).as_bytes().to_vec()));
            }
            rules.push((kind, pattern, places.len() as u32));
        }
        RuleSet::from_rules(&dialect, rules)
    };
    let agents = vec![("barbot".to_owned(), rule_set(8_000))];
    let star = Some(rule_set(9_000));
    let description = String::new();
    let (origins, rules, name) = (Vec::new(), Vec::new(), String::new());
    Questioned { set: DeclaredSet { name, description, dialect, origins, agents, star, rules, places }, questions }
}

/// A set with more regular expressions than one prefilter holds, other rules among them.
pub(crate) fn many_regexes() -> Questioned {
    let mut dice = Dice(11);
    let (mut rules, mut places, mut questions) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..300_u32 {
        let (test, paths) = match number % 8 {
            0 => {
                (Test::Query(format!("q{number}").into_bytes()), [format!("/a?q{number}"), format!("/a?b&q{number}=1")])
            }
            1 => (
                Test::Path(format!("/*p{number}/").into_bytes()),
                [format!("/p{number}/"), format!("/a/p{number}/b?c")],
            ),
            // Needs nothing that is rare.
            2 => (
                Test::Regex(format!("/[a-z]{{{number}}}/")),
                [format!("/{}/", "z".repeat(number as usize)), "/z/".into()],
            ),
            3 => (Test::Regex(format!("[^?]*/w{number}x$")), [format!("/a/w{number}x"), format!("/w{number}x/")]),
            4 => (
                Test::Regex(format!(r"[^?]*\?(?:.*&)?w{number}=")),
                [format!("/a?w{number}="), format!("/?a&w{number}=")],
            ),
            _ => (Test::Regex(format!("[^?]*/w{number}x/")), [format!("/W{number}x/"), format!("/a/w{number}x/?w4=")]),
        };
        questions.extend(paths.into_iter().filter(|_| number % 3 == 0 || number > 280));
        if dice.below(9) == 0 {
            // A rule before another one decides, whatever they look at and whichever prefilter they have.
            let other = dice.below(300);
            questions.push(format!("/w{number}x/p{other}/w{other}x/?w{other}=&q{other}"));
        }
        places.push(RulePlace { file: "many.ron".to_owned(), line: number + 1, text: format!("{test:?}") });
        let verdict = if dice.below(3) == 0 { Verdict::Allow } else { Verdict::Disallow };
        rules.push(DeclaredRule { verdict, test, name: None, place: number + 1 });
    }
    let questions = questions.into_iter().map(|path| ("FooBot".to_owned(), path.into_bytes())).collect();
    let (name, description, origins) = (String::new(), String::new(), Vec::new());
    let (dialect, agents, star) = (Dialect::GOOGLE, Vec::new(), None);
    Questioned { set: DeclaredSet { name, description, dialect, origins, agents, star, rules, places }, questions }
}

/// The sets that ship with the library, asked what their rules were written for.
pub(crate) fn shipped() -> Vec<Questioned> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules");
    let Ok(loaded) = load_dir(&folder, &BuildLimits::default()) else { panic!("the rule sets that ship are wrong") };
    let paths = [
        "/",
        "/cart",
        "/cart?sid=1",
        "/a/print",
        "/calendar/2026-11-21/",
        "/login?next=/",
        "/a;jsessionid=1",
        "/a/b/a/b/a/b/a/b/",
        "/legal/privacy?session=7",
        "/index.html.bak",
        "/?osCsid=1&x",
        "/search?q=a&page=99",
        "/robots.txt",
    ];
    let ask = |set: DeclaredSet| {
        let agents = ["AnyBot", "CorpBot", "GPTBot", "Googlebot"];
        let questions = agents.iter().flat_map(|agent| {
            paths.iter().map(|path| ((*agent).to_owned(), set.dialect.raw_path(path.as_bytes()).as_bytes().to_vec()))
        });
        let questions = questions.collect();
        Questioned { set, questions }
    };
    loaded.sets.into_iter().map(ask).collect()
}

/// Real files and the URLs that were recorded for them; none where the shared data is not there.
pub(crate) fn corpus(count: usize) -> Vec<Questioned> {
    let root = std::env::var_os("ROBOTSC_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let Ok(list) = fs::read(root.join("corpus/verdicts.tsv")) else {
        eprintln!("skipped: {} is not there", root.join("corpus").display());
        return Vec::new();
    };
    let mut files: BTreeMap<&[u8], Vec<&[u8]>> = BTreeMap::new();
    for line in list.split(|byte| *byte == b'\n').skip(1) {
        let mut fields = line.split(|byte| *byte == b'\t');
        if let (Some(file), Some(url)) = (fields.next(), fields.next()) {
            files.entry(file).or_default().push(url);
        }
    }
    let step = (files.len() / count).max(1);
    let sample = files.iter().step_by(step).take(count);
    sample.map(|(file, urls)| real(&root.join("corpus/robots"), file, urls)).collect()
}

fn real(folder: &Path, file: &[u8], urls: &[&[u8]]) -> Questioned {
    let name = format!("{}.txt", String::from_utf8_lossy(file));
    let body = fs::read(folder.join(&name)).expect("the body is readable");
    let dialect = Dialect { max_file: None, ..Dialect::GOOGLE };
    let robots = RobotsTxt::parse_with(&body, &dialect);
    // A line's number is its place's.
    let mut lines: Vec<String> = Vec::new();
    let lossy = String::from_utf8_lossy(robots.body()).replace("\r\n", "\n").replace('\r', "\n");
    lines.extend(lossy.split('\n').map(|line| line.chars().take(80).collect()));
    let agents = vec![("googlebot".to_owned(), robots.rule_set(&Crawler::new("Googlebot").unwrap()))];
    let star = Some(robots.rule_set(&Crawler::new("FooBot").unwrap()));
    let places = (1..).zip(lines).map(|(line, text)| RulePlace { file: name.clone(), line, text }).collect();
    let paths = || urls.iter().map(|url| Dialect::GOOGLE.raw_url_path(url).as_bytes().to_vec());
    let questions = ["Googlebot", "FooBot"].into_iter().flat_map(|agent| paths().map(|path| (agent.to_owned(), path)));
    let questions = questions.collect();
    let set = DeclaredSet {
        name: String::new(),
        description: String::new(),
        dialect,
        origins: Vec::new(),
        agents,
        star,
        rules: Vec::new(),
        places,
    };
    Questioned { set, questions }
}
