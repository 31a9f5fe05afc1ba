//! What can befall a pack: bytes that were altered, files cut short, builders that are killed or run out of room.

mod pack_captures;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use pack_captures::{Owned, add_preferences, build, made, record, single};
use robotsc::Dialect;
use robotsc::outcome::Outcome;
use robotsc::pack::{Pack, PackAgents, PackBuilder, PackOptions, PathPreferences, Vocabulary};
use xxhash_rust::xxh3::xxh3_64;

/// Reads all that can be read of a pack. Returns how much that was, so that nothing is left out as unused.
fn read_all(pack: &Pack, origins: &[String]) -> usize {
    let mut seen = 0;
    for origin in origins.iter().map(String::as_str).chain(["https://other.example", ""]) {
        let Some(slot) = pack.find(pack.key(origin.as_bytes())) else { continue };
        let entry = pack.entry(slot);
        for token in ["nobody", "a", "b-c", "Googlebot", "foobot"] {
            let Some(agent) = pack.agent(robotsc::AgentName::new(token).expect("a name")) else { continue };
            seen += usize::from(entry.crawl_delay(&agent).is_some());
            if let Some(program) = entry.program(&agent) {
                seen += ["/", "/1", "/b/x", ""]
                    .iter()
                    .filter(|path| {
                        program.verdict(robotsc::UrlPath::assume(path.as_bytes(), program.path_form()))
                            == Ok(robotsc::Verdict::Allow)
                    })
                    .count();
            }
            if let Some(stated) = entry.preferences(&agent) {
                let path = |path: &'static str| robotsc::UrlPath::assume(path.as_bytes(), stated.path_form());
                let said = ["/", "/1", "/b/x", ""].map(|text| stated.at(path(text)));
                seen += said.iter().filter(|said| **said != Ok(PathPreferences::UNKNOWN)).count();
            }
        }
        seen += entry.sitemaps().count() + entry.tokens().count() + pack.origin(slot).map_or(0, |name| name.len());
    }
    // Broken names end the list; there are never more entries than slots.
    seen += pack.entries().take(1 << 16).count();
    seen += pack.stats().largest.len();
    seen
}

/// As an enemy would: all checksums are right, what they cover need not be.
fn seal(bytes: &mut [u8]) {
    let long = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes")) as usize;
    let sections = if bytes[8] == 3 { 10 } else { 9 };
    for section in 0..sections {
        let at = 64 + 24 * section;
        let (start, length) = (long(bytes, at), long(bytes, at + 8));
        let Some(part) = bytes.get(start..start.saturating_add(length)) else { continue };
        let sum = xxh3_64(part);
        bytes[at + 16..at + 24].copy_from_slice(&sum.to_le_bytes());
    }
    let end = 64 + 24 * sections;
    let sum = xxh3_64(&bytes[..end]);
    bytes[end..end + 8].copy_from_slice(&sum.to_le_bytes());
}

/// Small packs of all kinds, with their origins.
fn small_packs(folder: &Path) -> Vec<(Vec<u8>, Vec<String>)> {
    let mut captures = made(40, 40);
    for (number, outcome) in [Outcome::Unavailable, Outcome::ServerError, Outcome::Unreachable].into_iter().enumerate()
    {
        captures.push(Owned {
            origin: format!("http://{number}.example"),
            record: record(outcome, 1_800_000_000),
            body: None,
        });
        // A failure with a good copy before it.
        captures.push(Owned {
            origin: format!("https://{number}.example"),
            record: record(outcome, 1_800_000_000),
            body: None,
        });
    }
    let mut stating = captures.clone();
    add_preferences(&mut stating);
    let origins: Vec<String> = captures.iter().map(|capture| capture.origin.clone()).collect();
    let all = PackOptions { sitemaps: true, deciding_rules: true, ..PackOptions::new(&Dialect::GOOGLE) };
    let some = PackOptions { agents: PackAgents::only(["a", "b-c"]), ..PackOptions::new(&Dialect::YANDEX) };
    let preferences = Some(Vocabulary::NEWEST);
    [all.clone(), some.clone(), single(), PackOptions { preferences, ..all }, PackOptions { preferences, ..some }]
        .iter()
        .map(|options| {
            let captures = if options.preferences.is_some() { &stating } else { &captures };
            let pack = build(options, captures, &folder.join("pack"));
            pack.check_sums().expect("nothing was altered");
            (pack.as_bytes().to_vec(), origins.clone())
        })
        .collect()
}

/// `ROBOTSC_FULL=1` alters four times as many.
#[test]
fn altered_bytes_are_refused_or_harmless() {
    let rounds = if std::env::var_os("ROBOTSC_FULL").is_some() { 10_000 } else { 2_500 };
    let folder = tempfile::tempdir().expect("a folder");
    let (mut refused_at_once, mut found_by_verify, mut sealed_refused, mut seen) = (0, 0, 0, 0);
    let packs = small_packs(folder.path());
    let mut state = 3_u64;
    for number in 0..rounds {
        let (bytes, origins) = &packs[number % packs.len()];
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The header often, all else evenly.
        let within = if number % 10 == 0 { 320 } else { bytes.len() };
        let place = (state >> 33) as usize % within;
        let mut altered = bytes.clone();
        altered[place] ^= 1 + (state >> 20) as u8 % 255;
        match Pack::from_trusted_bytes(altered.clone()) {
            Err(_) => refused_at_once += 1,
            Ok(pack) => {
                assert!(pack.check_sums().is_err(), "byte {place} of {} was altered unseen", bytes.len());
                assert!(pack.verify().is_err());
                found_by_verify += 1;
                seen += read_all(&pack, origins);
            }
        }
        seal(&mut altered);
        match Pack::from_trusted_bytes(altered) {
            Err(_) => sealed_refused += 1,
            Ok(pack) => {
                sealed_refused += usize::from(pack.verify().is_err());
                seen += read_all(&pack, origins);
            }
        }
    }
    println!(
        "{refused_at_once} refused when opened, {found_by_verify} by verify; with right checksums {sealed_refused}"
    );
    assert!(refused_at_once > rounds * 9 / 100 && found_by_verify > rounds * 8 / 10 && seen > rounds * 10, "{seen}");
}

/// An enemy states other settings than the pack was built with, with right checksums.
#[test]
fn settings_that_do_not_fit_the_programs_are_refused() {
    const DECIDING_RULES: u8 = 1 << 1;
    let folder = tempfile::tempdir().expect("a folder");
    for (bytes, _) in small_packs(folder.path()) {
        let pack = Pack::from_bytes(bytes.clone()).expect("a pack");
        pack.verify().expect("as it was built");
        let mut altered = bytes;
        altered[12] ^= DECIDING_RULES;
        seal(&mut altered);
        let pack = Pack::from_trusted_bytes(altered).expect("the header is well formed");
        pack.check_sums().expect("the checksums are right");
        let error = pack.verify().expect_err("its programs are of the other kind").to_string();
        assert!(error.contains("unlike the header says"), "{error}");
    }
}

#[test]
fn cut_packs_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (bytes, _) in small_packs(folder.path()) {
        for length in (0..400).chain((400..bytes.len()).step_by(97)) {
            assert!(Pack::from_bytes(bytes[..length].to_vec()).is_err(), "{length} bytes");
        }
        assert!(Pack::from_bytes([&bytes[..], b"\0"].concat()).is_err());
    }
    fs::write(folder.path().join("empty"), b"").expect("a file");
    assert!(Pack::open(folder.path().join("empty")).is_err());
}

/// What the builders of other processes do: builds a pack for ever, or until writing fails. Does nothing when run as a
/// test.
#[test]
fn builds_in_a_process_of_its_own() {
    let Some(target) = std::env::var_os("ROBOTSC_TEST_BUILD") else { return };
    let captures = made(200_000, 200_000);
    let options = PackOptions { memory: 1 << 20, ..single() };
    let build = |round: u32| {
        let mut builder = PackBuilder::new(options.clone(), &target)?;
        for (number, capture) in captures.iter().enumerate() {
            // Bodies of their own, so that there is something to write.
            let body = format!("user-agent: *\ndisallow: /{number}/{round}\n").into_bytes();
            let capture = Owned { body: Some(body), ..capture.clone() };
            builder.push(&capture.site(), &capture.capture())?;
        }
        builder.finish().map(drop)
    };
    if let Err(error) = (0..).try_for_each(build) {
        println!("{error}");
        std::process::exit(7);
    }
}

fn child(target: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", "builds_in_a_process_of_its_own", "--nocapture"]).env("ROBOTSC_TEST_BUILD", target);
    command
}

#[test]
fn a_killed_builder_leaves_the_old_pack() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("pack");
    let old = build(&single(), &made(50, 50), &target).as_bytes().to_vec();
    let unfinished = || {
        let entries = fs::read_dir(folder.path()).expect("a folder").map(|e| e.expect("an entry").file_name());
        entries.filter(|name| name.to_string_lossy().ends_with(".unfinished")).count()
    };
    for wait in [5, 60, 250] {
        let mut child = child(&target).stdout(Stdio::null()).spawn().expect("a process");
        let start = Instant::now();
        while unfinished() == 0 && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().expect("it is killed");
        child.wait().expect("it ended");
        assert_eq!(unfinished(), 1, "it was killed at work");
        assert!(fs::read(&target).expect("the old pack") == old);
    }
    // A restart works, and takes away what was left.
    let new = build(&single(), &made(60, 60), &target);
    new.verify().expect("a valid pack");
    assert_eq!((new.len(), unfinished()), (60, 0));
}

/// A disk that is full is like a file that may not grow.
#[test]
#[cfg(unix)]
fn no_room_is_an_error_and_leaves_the_old_pack() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("pack");
    let old = build(&single(), &made(50, 50), &target).as_bytes().to_vec();
    for blocks in [64, 3_000, 12_000] {
        let child = child(&target);
        let arguments: Vec<String> = child.get_args().map(|argument| argument.to_string_lossy().into_owned()).collect();
        // Blocks are of 512 bytes; the signal would end the process before it can say anything.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let output = Command::new("sh")
            .arg("-c")
            .arg(script)
            .arg(child.get_program())
            .args(arguments)
            .env("ROBOTSC_TEST_BUILD", &target)
            .output()
            .expect("a shell");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(7), "{said}{}", String::from_utf8_lossy(&output.stderr));
        assert!(said.contains("cannot write") && said.to_lowercase().contains("too large"), "{said}");
        assert!(fs::read(&target).expect("the old pack") == old);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left");
    }
}
