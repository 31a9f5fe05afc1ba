//! Walks over checked-in programs, as any reader of them does. The same table holds for every form of the same rules.

use robotsc_runtime::{AgentName, PathForm, Policy, Program, UrlPath, Verdict, checksum};

const PLAIN: &[u8] = include_bytes!("programs/shop.program");
const DECIDING_RULE: &[u8] = include_bytes!("programs/shop.deciding_rule.program");
const PARTS: &[u8] = include_bytes!("programs/shop.parts.program");
const LIST: &[u8] = include_bytes!("programs/shop.list.program");
const POLICY: &[u8] = include_bytes!("programs/shop.policy");

fn at(path: &str) -> UrlPath<'_> {
    UrlPath::assume(path.as_bytes(), PathForm::Escaped)
}

fn name(name: &str) -> AgentName<'_> {
    AgentName::new(name).unwrap()
}

/// Paths, whether they are allowed, and the line that decides.
const PATHS: [(&str, bool, u32); 16] = [
    ("/", true, 0),
    ("", true, 0),
    ("/cart", false, 4),
    ("/car", true, 0),
    ("/carts/1", false, 4),
    ("/account/", false, 5),
    ("/account/help", true, 10),
    ("/account/hel", false, 5),
    ("/account/help.pdf", true, 10),
    ("/x?sort=price", false, 6),
    ("/x?page=2&sort=price", false, 7),
    ("/x?sor", true, 0),
    ("/a/print/", false, 8),
    ("/print/", true, 0),
    ("/a/b.pdf", false, 9),
    ("/a/b.pdf?x", true, 0),
];

#[test]
fn every_form_gives_the_same_verdicts() {
    for (form, bytes) in [("plain", PLAIN), ("deciding_rule", DECIDING_RULE), ("parts", PARTS), ("list", LIST)] {
        let program = Program::from_bytes(bytes).unwrap();
        for (path, allowed, line) in PATHS {
            assert_eq!(program.verdict(at(path)).unwrap().is_allow(), allowed, "{form} {path}");
            if program.names_deciding_rule() {
                let deciding_rule = program.deciding_rule(at(path)).unwrap();
                assert_eq!(deciding_rule.map_or(0, |rule| rule.line), line, "{form} {path}");
                assert!(deciding_rule.is_none_or(|rule| rule.verdict.is_allow() == allowed), "{form} {path}");
            }
        }
    }
    assert!(Program::from_bytes(PARTS).unwrap().parts() > 1);
    assert!(Program::from_bytes(LIST).unwrap().listed_rules() > 0);
}

#[test]
fn a_policy_finds_its_agents() {
    let policy = Policy::from_bytes(POLICY).unwrap();
    assert_eq!(policy.label(), b"google");
    let tokens: [&[u8]; 3] = [b"slowbot", b"slowbot-images", b"trainingbot"];
    assert!(policy.names().eq(tokens));
    let verdict = |token: &str, path: &str| policy.program(Some(name(token))).unwrap().verdict(at(path)).unwrap();
    assert_eq!(verdict("TrainingBot", "/"), Verdict::Disallow);
    assert_eq!(verdict("SLOWBOT", "/catalogue/new/1"), Verdict::Allow);
    assert_eq!(verdict("SlowBot-Images", "/catalogue/1"), Verdict::Disallow);
    assert_eq!(verdict("SlowBot", "/cart"), Verdict::Allow);
    assert_eq!(verdict("FooBot", "/cart"), Verdict::Disallow);
    assert!(policy.named(name("FooBot")).is_none());
}

#[test]
fn every_flipped_bit_is_refused() {
    for bytes in [PLAIN, DECIDING_RULE, PARTS, LIST] {
        for bit in 0..bytes.len() * 8 {
            let mut altered = bytes.to_vec();
            altered[bit / 8] ^= 1 << (bit % 8);
            let error = Program::from_bytes(&altered).expect_err("no bit may change");
            assert!(!error.to_string().is_empty());
        }
    }
    for bit in 0..POLICY.len() * 8 {
        let mut altered = POLICY.to_vec();
        altered[bit / 8] ^= 1 << (bit % 8);
        assert!(Policy::from_bytes(&altered).is_err());
    }
}

/// With the checksum made right again the other checks stand alone; what passes them, and what is trusted without, is
/// walked and does no harm.
#[test]
fn altered_code_is_harmless() {
    for bytes in [PLAIN, DECIDING_RULE, PARTS, LIST] {
        for bit in (0..bytes.len() * 8).filter(|bit| bit / 8 > 7 || bit / 8 == 3) {
            let mut altered = bytes.to_vec();
            altered[bit / 8] ^= 1 << (bit % 8);
            let sum = checksum(&altered).to_le_bytes();
            altered[4..8].copy_from_slice(&sum);
            for program in [Program::from_bytes(&altered), Program::from_trusted(&altered)].into_iter().flatten() {
                for (path, _, _) in PATHS {
                    let _ = (program.verdict(at(path)), program.deciding_rule(at(path)), program.nodes());
                }
            }
        }
    }
}

#[test]
fn every_shorter_file_is_refused() {
    for bytes in [PLAIN, DECIDING_RULE, PARTS, LIST] {
        for length in 0..bytes.len() {
            assert!(Program::from_bytes(&bytes[..length]).is_err());
        }
    }
    for length in 0..POLICY.len() {
        assert!(Policy::from_bytes(&POLICY[..length]).is_err());
    }
}

/// A short file could else hold many entries of one long program, and be checked for hours.
#[test]
fn a_policy_whose_entries_share_bytes_is_refused() {
    let word = |at: usize| u32::from_le_bytes(POLICY[at..at + 4].try_into().unwrap()) as usize;
    assert!(word(12) > 1, "two programs are needed");
    let programs = 24 + 12 * word(8);
    for (from, to) in [(programs, programs + 8), (24, 36)] {
        let mut altered = POLICY.to_vec();
        altered.copy_within(from..from + 8, to);
        let sum = checksum(&altered).to_le_bytes();
        altered[4..8].copy_from_slice(&sum);
        assert!(Policy::from_bytes(&altered).is_err());
    }
}
