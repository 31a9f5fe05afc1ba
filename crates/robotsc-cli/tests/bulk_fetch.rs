//! `robotsc fetch` of many sites, against a server on loopback that counts: the circle, kills, full disks, refreshes.
//!
//! `ROBOTSC_FULL=1` runs the circle with 20,000 sites, and kills a run of 20,000.
#![cfg(feature = "fetch")]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// What a site does, by its number.
fn body(number: usize) -> String {
    format!("User-agent: *\nDisallow: /{number}/\n")
}

/// Sites `site0.example`, `site1.example` and so on, on one address.
struct Sites {
    address: SocketAddr,
    /// How often each was asked for /robots.txt, and how often only whether it changed.
    asked: Arc<Mutex<BTreeMap<usize, (usize, usize)>>>,
    /// Milliseconds before each answer.
    delay: Arc<AtomicU64>,
    folder: tempfile::TempDir,
}

/// Answers one request.
fn answer(stream: TcpStream, asked: &Mutex<BTreeMap<usize, (usize, usize)>>, delay: u64) -> Option<()> {
    let mut writer = stream.try_clone().ok()?;
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let fields: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned())))
        .collect();
    let number: usize = fields.get("host")?.strip_prefix("site")?.split('.').next()?.parse().ok()?;
    let tag = format!("\"v{number}\"");
    let is_current = fields.get("if-none-match") == Some(&tag);
    if path == "/robots.txt" {
        let mut asked = asked.lock().unwrap();
        let counts = asked.entry(number).or_default();
        counts.0 += 1;
        counts.1 += usize::from(is_current);
    }
    thread::sleep(Duration::from_millis(delay));
    let text = match (number % 10, path.as_str()) {
        (6, _) => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned(),
        (7, _) => "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n".to_owned(),
        (8, "/robots.txt") => "HTTP/1.1 301 Moved\r\nLocation: /moved.txt\r\nContent-Length: 0\r\n\r\n".to_owned(),
        (9, _) => return None,
        _ if is_current => "HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=7200\r\n\r\n".to_owned(),
        _ => {
            let (body, fields) = (body(number), format!("ETag: {tag}\r\nCache-Control: max-age=3600\r\n"));
            format!("HTTP/1.1 200 OK\r\n{fields}Content-Length: {}\r\n\r\n{body}", body.len())
        }
    };
    writer.write_all(text.as_bytes()).ok()
}

impl Sites {
    fn start(count: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (asked, delay) = (Arc::<Mutex<BTreeMap<_, _>>>::default(), Arc::new(AtomicU64::new(0)));
        let (sender, receiver) = mpsc::channel::<TcpStream>();
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..8 {
            let (receiver, asked, delay) = (Arc::clone(&receiver), Arc::clone(&asked), Arc::clone(&delay));
            thread::spawn(move || {
                loop {
                    let Ok(stream) = receiver.lock().unwrap().recv() else { return };
                    answer(stream, &asked, delay.load(Ordering::Relaxed));
                }
            });
        }
        thread::spawn(move || listener.incoming().flatten().try_for_each(|stream| sender.send(stream)));
        let sites = Self { address, asked, delay, folder: tempfile::tempdir().unwrap() };
        let hosts: String = (0..count).map(|number| format!("127.0.0.1 site{number}.example\n")).collect();
        std::fs::write(sites.path("hosts"), hosts).unwrap();
        let origins: String = (0..count).map(|number| format!("{}\n", sites.origin(number))).collect();
        std::fs::write(sites.path("origins.txt"), origins).unwrap();
        sites
    }

    fn origin(&self, number: usize) -> String {
        format!("http://site{number}.example:{}", self.address.port())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns a command in the folder, with a network of these sites alone.
    fn robotsc(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
        command.current_dir(self.folder.path()).args(args.split_whitespace());
        if args.starts_with("fetch") {
            command.args("--hosts hosts --allow-net 127.0.0.1/32 --address-interval 0".split_whitespace());
            command.args("--domain-interval 0 --per-address 1000 --timeout 20".split_whitespace());
        }
        command.env("ROBOTSC_USER_AGENT", "TestBot/1.0 (+https://bot.example/)").env_remove("ROBOTSC_ALLOW_NET");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    #[track_caller]
    fn run(&self, args: &str, code: i32) -> (String, String) {
        let output = self.robotsc(args).output().unwrap();
        shown(&output, code, args)
    }

    /// Returns the times that each site was asked, and forgets them.
    fn take_asked(&self) -> BTreeMap<usize, (usize, usize)> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

#[track_caller]
fn shown(output: &Output, code: i32, args: &str) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{args}\n{stdout}\n{stderr}");
    (stdout, stderr)
}

/// Returns the origins of the whole lines of a log.
fn logged(log: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = whole.lines().filter(|line| line.contains("\"type\":\"fetched\""));
    lines.map(|line| line.split("\"origin\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned()).collect()
}

fn is_full() -> bool {
    std::env::var_os("ROBOTSC_FULL").is_some()
}

/// Returns the verdicts of a site for `/<number>/x` and `/other`.
fn verdicts(number: usize) -> [&'static str; 2] {
    match number % 10 {
        6 => ["allowed", "allowed"],
        7 | 9 => ["disallowed", "disallowed"],
        _ => ["disallowed", "allowed"],
    }
}

/// What the filter does not know is fetched and packed. Then it knows all, with the verdicts of what the sites sent.
fn circle(count: usize, update: impl Fn(&Sites)) {
    let sites = Sites::start(count);
    let urls: String = (0..count).map(|number| format!("{0}/{number}/x\n{0}/other\n", sites.origin(number))).collect();
    std::fs::write(sites.path("urls.txt"), urls).unwrap();
    std::fs::write(sites.path("known.tsv"), "http://other.example\t404\t\t\n").unwrap();
    sites.run("pack build known.tsv -o sites.pack --agent FooBot", 0);
    sites.run("filter --pack sites.pack --agent FooBot urls.txt --on-unknown list --unknown unknown.txt", 0);
    let unknown = std::fs::read_to_string(sites.path("unknown.txt")).unwrap();
    assert_eq!(unknown.lines().count(), count);
    update(&sites);
    let (stdout, _) = sites.run("filter --pack sites.pack --agent FooBot urls.txt --emit verdicts", 0);
    let mut lines = stdout.lines();
    for number in 0..count {
        for verdict in verdicts(number) {
            assert_eq!(lines.next().unwrap().split('\t').next(), Some(verdict), "{number}");
        }
    }
    // The network is asked a second time if it gave no answer at all.
    assert!(sites.take_asked().iter().all(|(_, (asked, _))| *asked == 1));
}

#[test]
fn the_circle_in_four_commands() {
    let count = if is_full() { 20_000 } else { 300 };
    circle(count, |sites| {
        let (table, summary) =
            sites.run("fetch --origins unknown.txt --warc new.warc.gz --log new.log --concurrency 100", 0);
        assert_eq!(table.lines().count(), count + 1, "{summary}");
        let row = |number: usize| {
            let origin = format!("{}\t", sites.origin(number));
            table.lines().find_map(|line| line.strip_prefix(&origin)).unwrap().split('\t').collect::<Vec<_>>()
        };
        let length = body(0).len().to_string();
        assert_eq!(row(0)[..4], ["rules", "200", "0", &*length]);
        assert_eq!(row(6)[..4], ["unavailable", "404", "0", "0"]);
        assert_eq!(row(7)[..4], ["server-error", "503", "0", "0"]);
        assert_eq!(row(8)[..4], ["rules", "200", "1", &*length]);
        assert_eq!(row(9)[..3], ["unreachable", "reset", "0"]);
        assert!(summary.contains("failures: 5xx") && summary.contains("reset"), "{summary}");
        sites.run("pack update sites.pack new.warc.gz -o sites.pack", 0);
    });
}

#[test]
fn the_circle_with_the_pack_alone() {
    circle(50, |sites| {
        let before = std::fs::read_dir(sites.folder.path()).unwrap().count();
        let list = std::fs::File::open(sites.path("unknown.txt")).unwrap();
        let output = sites.robotsc("fetch - --pack sites.pack --json").stdin(Stdio::from(list)).output().unwrap();
        let (stdout, stderr) = shown(&output, 0, "fetch -");
        assert_eq!(stdout.matches("\"type\":\"fetch\"").count(), 50);
        assert!(stdout.contains("\"type\":\"pack\"") && stderr.contains("\"type\":\"summary\""), "{stdout}{stderr}");
        assert_eq!(std::fs::read_dir(sites.folder.path()).unwrap().count(), before, "no file is left over");
    });
}

/// Killed at ten random times, a run goes on: nothing is lost, and what has a result is not asked again.
#[test]
fn a_killed_run_goes_on() {
    const FETCH: &str = "fetch --origins origins.txt --warc new.warc.gz --log new.log --concurrency 20";
    // Eight threads of the server need ten seconds for all sites in the long form, so that all kills find work to do.
    let (count, delay, longest, least_kills) = if is_full() { (20_000, 4, 900, 10) } else { (400, 15, 150, 4) };
    let sites = Sites::start(count);
    sites.delay.store(delay, Ordering::Relaxed);
    let mut random = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0);
    let (mut kills, mut asked) = (0, BTreeMap::<usize, usize>::new());
    loop {
        let recorded: BTreeSet<String> = logged(&sites.path("new.log")).into_iter().collect();
        let mut child = sites.robotsc(FETCH).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let deadline = Instant::now() + Duration::from_millis(20 + (random >> 33) % (longest - 20));
        let ended = loop {
            match child.try_wait().unwrap() {
                Some(status) => break Some(status),
                None if kills < 10 && Instant::now() > deadline => {
                    child.kill().unwrap();
                    child.wait().unwrap();
                    kills += 1;
                    break None;
                }
                None => thread::sleep(Duration::from_millis(2)),
            }
        };
        // What the server still works on was sent before the kill.
        thread::sleep(Duration::from_millis(60));
        for (number, (times, _)) in sites.take_asked() {
            assert!(!recorded.contains(&sites.origin(number)), "site {number} was asked again");
            assert_eq!(times, 1);
            *asked.entry(number).or_default() += times;
        }
        if let Some(status) = ended {
            assert!(status.success());
            break;
        }
    }
    let origins = logged(&sites.path("new.log"));
    assert_eq!((origins.len(), origins.iter().collect::<BTreeSet<_>>().len()), (count, count));
    // Only what was in flight at a kill, or waited to follow a redirect, has no result, and is asked once more.
    let again: usize = asked.values().map(|times| times - 1).sum();
    assert!(kills >= least_kills && asked.len() == count && again <= kills * 40, "{kills} kills, {again} asked again");
    let (_, summary) = sites.run("pack build new.warc.gz -o new.pack --agent FooBot", 0);
    assert!(summary.replace(',', "").contains(&format!("new.pack: {count} origins of {count} captures")), "{summary}");
    // There is nothing left to ask.
    let (table, summary) = sites.run(FETCH, 0);
    assert!(summary.replace(',', "").contains(&format!("fetched before by the log: {count}")), "{summary}");
    // The table has what the log has, in its order, so that no row is lost with a run that was killed.
    let rows: Vec<&str> = table.lines().skip(1).map(|row| row.split('\t').next().unwrap_or_default()).collect();
    assert_eq!(rows, origins);
    assert!(table.lines().skip(1).all(|row| row.split('\t').count() == 7), "{table}");
    assert!(sites.take_asked().is_empty());
}

/// What was in flight when a run was killed is not in the log: the next one waits before it asks.
#[test]
fn a_run_that_goes_on_keeps_the_interval() {
    let sites = Sites::start(2);
    let network = "--hosts hosts --allow-net 127.0.0.1/32 --address-interval 0 --domain-interval 1";
    let fetch = |number| format!("--color never fetch {} --warc w.gz --log w.log {network}", sites.origin(number));
    let (first, _) = sites.run(&fetch(0), 0);
    let since = Instant::now();
    let (second, _) = sites.run(&fetch(1), 0);
    assert!(since.elapsed() >= Duration::from_secs(1), "{:?}", since.elapsed());
    // What the log holds, as it was written, then what was asked.
    assert_eq!(second.lines().take(2).collect::<Vec<_>>(), first.lines().collect::<Vec<_>>());
    assert_eq!(second.lines().count(), 3, "{second}");
}

/// What a power cut can leave: lines of the log whose records are not in the file.
#[test]
fn a_log_is_believed_as_far_as_the_records_are_there() {
    const FETCH: &str = "fetch --origins origins.txt --warc new.warc.gz --log new.log";
    let sites = Sites::start(20);
    sites.run(FETCH, 0);
    let (log, warc) = (sites.path("new.log"), sites.path("new.warc.gz"));
    let text = std::fs::read_to_string(&log).unwrap();
    // No line says that anything was made durable.
    let unsynced: String =
        text.lines().filter(|line| !line.contains("synced")).map(|line| format!("{line}\n")).collect();
    let good = std::fs::read(&warc).unwrap();
    for damage in [good.len() - 3, good.len() / 2, 10] {
        let mut bytes = good.clone();
        bytes[damage..].fill(0);
        std::fs::write(&warc, bytes).unwrap();
        std::fs::write(&log, &unsynced).unwrap();
        sites.take_asked();
        sites.run(FETCH, 0);
        let asked = sites.take_asked().len();
        assert!(asked >= 1 && (damage != 10 || asked == 20) && (damage == 10 || asked < 20), "{damage}: {asked}");
        assert_eq!(logged(&log).iter().collect::<BTreeSet<_>>().len(), 20);
        let (_, summary) = sites.run("pack build new.warc.gz -o new.pack --agent FooBot", 0);
        assert!(summary.contains("20 origins of 20 captures"), "{summary}");
    }
    // With another file, it is not looked at, so that what is not durable does not count.
    std::fs::write(&log, &unsynced).unwrap();
    sites.take_asked();
    sites.run("fetch --origins origins.txt --warc other.warc.gz --log new.log", 0);
    assert_eq!((sites.take_asked().len(), logged(&log).len()), (20, 20));
    // A run that was killed before it wrote the first record.
    let begun: String = text.lines().take(2).map(|line| format!("{line}\n")).collect();
    std::fs::write(&log, begun).unwrap();
    for warc_file in [None, Some(&good[..5])] {
        match warc_file {
            None => std::fs::remove_file(&warc).unwrap(),
            Some(bytes) => std::fs::write(&warc, bytes).unwrap(),
        }
        let mut child = sites.robotsc("fetch - --warc new.warc.gz --log new.log").spawn().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(2), "no site");
    }
    std::fs::write(&warc, &good).unwrap();
    std::fs::write(&log, &text).unwrap();
    // A file that was made durable and is shorter now is another one.
    std::fs::write(&warc, &good[..40]).unwrap();
    let (_, stderr) = sites.run(FETCH, 2);
    assert!(stderr.contains("not the WARC file of the log: new.warc.gz: it has 40 bytes"), "{stderr}");
    // A new file goes on with the same log.
    let (_, summary) = sites.run("fetch --origins origins.txt --warc second.warc.gz --log new.log", 0);
    assert!(summary.contains("fetched before, by the log: 20"), "{summary}");
}

/// Only what expires is asked, and only whether it changed. What did not is renewed.
#[test]
fn a_refresh_asks_whether_files_changed() {
    let sites = Sites::start(40);
    std::fs::write(sites.path("known.tsv"), "http://other.example\t404\t\t\n").unwrap();
    sites.run("pack build known.tsv -o sites.pack --agent FooBot", 0);
    sites.run("fetch --origins origins.txt --pack sites.pack --warc 1.warc.gz --log sites.log", 0);
    sites.take_asked();
    // Nothing expires within 10 minutes, and failures have their wait of five minutes. The file has nothing to pack.
    let (table, _) = sites.run("fetch --refresh 10m --pack sites.pack --warc 2.warc.gz --log sites.log", 0);
    assert_eq!(table.lines().count(), 1, "{table}");
    assert!(sites.take_asked().is_empty());
    // The files expire after an hour.
    thread::sleep(Duration::from_millis(1_100));
    let (table, _) = sites.run("fetch --refresh 61m --pack sites.pack --warc 3.warc.gz --log sites.log", 0);
    let asked = sites.take_asked();
    for (number, (times, conditional)) in &asked {
        // After a redirect, the validators belong to another URL than this.
        let is_rules = number % 10 < 6;
        assert_eq!((*times, *conditional), (1, usize::from(is_rules)), "site {number}");
        assert!(!matches!(number % 10, 7 | 9), "site {number} failed a moment ago");
    }
    assert_eq!(table.matches("\tnot-modified\t304\t").count(), 28, "{table}");
    // They are renewed, for the two hours that the 304 says, and still have their rules.
    for site in [sites.origin(0), sites.origin(8)] {
        let (stdout, _) = sites.run(&format!("pack get sites.pack {site} --json"), 0);
        let value: serde_json::Value = serde_json::from_str(&stdout).unwrap();
        let seconds = |name: &str| value[name].as_u64().unwrap();
        assert_eq!((value["outcome"].as_str(), value["effective"].as_str()), (Some("rules"), Some("rules")), "{site}");
        assert_eq!(seconds("expires_at") - seconds("fetched_at"), 7_200);
        assert!(seconds("good_at") < seconds("fetched_at"));
    }
    // A second refresh knows the validators still.
    sites.run("fetch --refresh 121m --pack sites.pack --warc 4.warc.gz --log sites.log", 0);
    assert_eq!(sites.take_asked()[&0], (1, 1));
    // What the log has and the pack has not yet is not asked again.
    let (_, summary) = sites.run("fetch --refresh 61m --pack sites.pack --warc 5.warc.gz --log sites.log", 0);
    assert!(sites.take_asked().is_empty(), "{summary}");
}

/// A run that is killed before its pack is updated: the next, with another WARC file, asks again what only that one
/// had.
#[test]
fn what_a_killed_run_did_not_pack_is_asked_again() {
    for next in ["fetch --origins origins.txt", "fetch --refresh 2h --origins origins.txt"] {
        let sites = Sites::start(20);
        std::fs::write(sites.path("known.tsv"), "http://other.example\t404\t\t\n").unwrap();
        sites.run("pack build known.tsv -o sites.pack --agent FooBot", 0);
        sites.run("fetch --origins origins.txt --warc 1.warc.gz --log sites.log", 0);
        sites.take_asked();
        sites.run(&format!("{next} --pack sites.pack --warc 2.warc.gz --log sites.log"), 0);
        assert_eq!(sites.take_asked().len(), 20, "{next}");
        for number in 0..20 {
            sites.run(&format!("pack get sites.pack {}", sites.origin(number)), 0);
        }
        let (_, summary) =
            sites.run("fetch --origins origins.txt --pack sites.pack --warc 3.warc.gz --log sites.log", 0);
        assert!(sites.take_asked().is_empty() && summary.contains("fetched before, by the log: 20"), "{summary}");
    }
}

/// Ctrl-C: what was sent is waited for and kept, and the next run does the rest.
#[test]
#[cfg(unix)]
fn a_stopped_run_keeps_what_it_has() {
    const FETCH: &str = "fetch --origins origins.txt --warc new.warc.gz --log new.log --concurrency 10";
    let sites = Sites::start(300);
    sites.delay.store(20, Ordering::Relaxed);
    let child = sites.robotsc(FETCH).spawn().unwrap();
    while sites.asked.lock().unwrap().len() < 30 {
        thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let (table, summary) = shown(&child.wait_with_output().unwrap(), 130, FETCH);
    let first = sites.take_asked();
    // Each that was asked has a result, but for redirects that had no turn yet.
    let recorded = logged(&sites.path("new.log"));
    assert_eq!(table.lines().count() - 1, recorded.len());
    assert!(first.keys().all(|number| number % 10 == 8 || recorded.contains(&sites.origin(*number))));
    assert!(summary.contains(", stopped") && summary.contains("not asked: "), "{summary}");
    sites.run(FETCH, 0);
    let second = sites.take_asked();
    assert!(second.keys().all(|number| !recorded.contains(&sites.origin(*number))));
    assert_eq!(recorded.len() + second.len(), 300);
}

/// A list through a pipe that stays open: results come while it is.
#[test]
fn a_list_that_grows_holds_up_nothing() {
    let sites = Sites::start(3);
    let mut child = sites.robotsc("fetch - --json").stdin(Stdio::piped()).spawn().unwrap();
    let mut list = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for number in 0..3 {
        writeln!(list, "{}", sites.origin(number)).unwrap();
        let line = lines.next().unwrap().unwrap();
        assert!(line.contains(&format!("\"origin\":\"{}\"", sites.origin(number))), "{line}");
    }
    drop(list);
    assert!(child.wait().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_says_what_is_kept() {
    let sites = Sites::start(60);
    // Without a log, nothing is kept, and what stood there stays.
    let (_, stderr) = sites.run("fetch --origins origins.txt --warc /dev/full", 2);
    assert!(stderr.contains("cannot write: /dev/full: no space left on device"), "{stderr}");
    let disk = sites.path("disk");
    std::fs::create_dir(&disk).unwrap();
    let mount = |options: &str| {
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&disk).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !mount("size=24k") {
        eprintln!("skipped: a small disk needs the rights to mount one");
        return;
    }
    sites.take_asked();
    const FETCH: &str = "fetch --origins origins.txt --warc disk/new.warc.gz --log disk/new.log --concurrency 4";
    let output = sites.robotsc(FETCH).output().unwrap();
    let kept = logged(&disk.join("new.log"));
    let first = sites.take_asked();
    let is_larger = mount("remount,size=4m");
    let again = sites.robotsc(FETCH).output().unwrap();
    let second = sites.take_asked();
    let built = sites.robotsc("pack build disk/new.warc.gz -o new.pack --agent FooBot").output().unwrap();
    let all = logged(&disk.join("new.log"));
    assert!(Command::new("umount").arg(&disk).status().unwrap().success());
    assert!(is_larger);
    let (_, stderr) = shown(&output, 2, FETCH);
    let expected = "no space left on device: what was fetched until now is kept: make room, and run the same command";
    assert!(stderr.contains(expected), "{stderr}");
    shown(&again, 0, FETCH);
    let (_, summary) = shown(&built, 0, "pack build");
    assert!(summary.contains("60 origins of 60 captures"), "{summary}");
    assert!(!kept.is_empty() && kept.len() < 60 && first.len() <= kept.len() + 15, "{} {}", kept.len(), first.len());
    assert_eq!((all.len(), second.len()), (60, 60 - kept.len()));
}

/// The reader of the table goes away: what was asked is kept, and the exit code says that not all was.
#[test]
fn a_table_that_nobody_reads_ends_the_run() {
    const FETCH: &str = "fetch --origins origins.txt --json --warc new.warc.gz --log new.log --concurrency 10";
    let sites = Sites::start(2_000);
    let mut child = sites.robotsc(FETCH).spawn().unwrap();
    drop(child.stdout.take());
    let (_, stderr) = shown(&child.wait_with_output().unwrap(), 2, FETCH);
    assert!(stderr.contains("not all sites were asked: standard output: its reader closed it"), "{stderr}");
    let (kept, asked) = (logged(&sites.path("new.log")), sites.take_asked());
    assert!(asked.keys().all(|number| number % 10 == 8 || kept.contains(&sites.origin(*number))));
    assert!(kept.len() < 2_000);
}

#[test]
fn lines_that_are_no_site_are_skipped() {
    let sites = Sites::start(2);
    let long = "x".repeat(10_000);
    let list = format!(
        "\u{feff}{0}/robots.txt\r\nshop.example\n\nhttp://me:secret@shop.example\n{long}\n{1}\n{0}\n",
        sites.origin(0),
        sites.origin(1)
    );
    std::fs::write(sites.path("list.txt"), list).unwrap();
    let (table, stderr) = sites.run("fetch --origins list.txt", 2);
    assert_eq!(table.lines().count(), 3, "{table}");
    for expected in [
        "not a site: list.txt: line 2: shop.example: ",
        "not a site: list.txt: line 4: the URL: it has user information",
        "not a site: list.txt: line 5: it is longer than 4096 bytes: skipped",
        "no site: 3 lines",
    ] {
        assert!(stderr.contains(expected) && !stderr.contains("secret"), "{expected}\n{stderr}");
    }
    assert!(sites.take_asked().values().all(|asked| *asked == (1, 0)), "each once");
}

#[test]
fn mistakes_are_errors_before_the_first_fetch() {
    let sites = Sites::start(2);
    std::fs::write(sites.path("robots.txt"), "User-agent: *\n").unwrap();
    std::fs::write(sites.path("old.warc.gz"), "something").unwrap();
    for (args, message) in [
        ("fetch --origins none.txt", "cannot read: none.txt: no such file"),
        ("fetch --origins origins.txt --log new.log", "--warc"),
        ("fetch --refresh 6h", "--pack"),
        ("fetch --refresh 6 --pack sites.pack", "give a number and a unit"),
        ("fetch --origins origins.txt --pack none.pack", "none.pack: no such file"),
        ("fetch --origins origins.txt --pack robots.txt", "bad pack: robots.txt"),
        ("fetch --origins origins.txt --warc origins.txt", "one file twice: origins.txt"),
        ("fetch --origins origins.txt --warc new.warc.gz --log robots.txt", "cannot resume: robots.txt: it is no log"),
        ("fetch --origins origins.txt --warc old.warc.gz --log new.log", "a WARC file that the log does not know"),
        ("fetch - --origins -", "standard input twice"),
        ("fetch --origins origins.txt --concurrency 100000", "too many fetches at a time"),
        ("fetch --origins origins.txt --proxy socks5://127.0.0.1", "not a proxy: give a URL such as http://"),
    ] {
        let (_, stderr) = sites.run(args, 2);
        assert!(stderr.contains(message), "{args}: {stderr}");
    }
    std::fs::write(sites.path("hosts"), "site0.example 127.0.0.1\n").unwrap();
    let (_, stderr) = sites.run("fetch --origins origins.txt", 2);
    assert!(stderr.contains("not a table of names: hosts: line 1: it does not begin with an IP address"), "{stderr}");
    assert_eq!(std::fs::read_to_string(sites.path("robots.txt")).unwrap(), "User-agent: *\n");
    assert_eq!(std::fs::read_to_string(sites.path("old.warc.gz")).unwrap(), "something");
    assert!(sites.take_asked().is_empty());
}
