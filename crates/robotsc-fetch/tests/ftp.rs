//! FTP: what each reply means, what a hostile server gets, and that no address is connected to but the one judged.

#![cfg(feature = "ftp")]

mod support;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use robotsc_fetch::{BodyEnd, FetchLimits, Fetched, Fetcher, Protocol, WarcWriter};
use robotsc_frontier::outcome::{FetchEnd, NetworkError};
use robotsc_sources::{Captures, SourceAnswer};
use support::{Net, PUBLIC, Server, Step, play, policies, response, send, short_limits, user_agent};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

const RULES: &str = "User-agent: *\nDisallow: /cart\n";

/// What an FTP server does in place of what a good one does: after a command, or at the words `hello`, `data` and
/// `done`, which stand for its greeting, for the file, and for its reply after the file.
type Changes = &'static [(&'static str, fn() -> Vec<Step>)];

/// An FTP server on loopback, and the address of its second connections.
struct Ftp {
    control: SocketAddr,
    data: SocketAddr,
    commands: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Ftp {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Ftp {
    async fn start(changes: Changes) -> Self {
        let control = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let data = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let addresses = (control.local_addr().unwrap(), data.local_addr().unwrap());
        let commands = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&commands);
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = control.accept().await.unwrap();
                converse(stream, &data, changes, &seen).await;
            }
        });
        Self { control: addresses.0, data: addresses.1, commands, task }
    }
}

/// Speaks FTP on one connection, until it ends.
async fn converse(stream: TcpStream, data: &TcpListener, changes: Changes, seen: &Mutex<Vec<String>>) {
    let port = data.local_addr().unwrap().port();
    let (high, low) = (port >> 8, port & 0xFF);
    let change = |word: &str| changes.iter().find(|(of, _)| *of == word).map(|(_, steps)| steps());
    let mut stream = BufReader::new(stream);
    let (mut word, mut line) = ("hello".to_owned(), String::new());
    let count = AtomicUsize::new(0);
    loop {
        let steps = change(&word).unwrap_or_else(|| {
            vec![send(match word.as_str() {
                "hello" => "220-one\r\n two\r\n220 hello\r\n".to_owned(),
                "USER" => "331 say who you are\r\n".to_owned(),
                "PASS" => "230 come in\r\n".to_owned(),
                "TYPE" => "200 bytes\r\n".to_owned(),
                "EPSV" => format!("229 here (|||{port}|)\r\n"),
                "PASV" => format!("227 there (10,0,0,7,{high},{low})\r\n"),
                "RETR" => "150 it comes\r\n".to_owned(),
                _ => "500 what?\r\n".to_owned(),
            })]
        });
        let is_file = word == "RETR" && matches!(&steps[..], [Step::Send(text)] if text.starts_with(b"150"));
        if play(stream.get_mut(), steps, &count).await {
            stream.get_ref().set_zero_linger().unwrap();
            return;
        }
        if is_file {
            let Ok((mut file, _)) = data.accept().await else { return };
            if play(&mut file, change("data").unwrap_or_else(|| vec![send(RULES)]), &count).await {
                file.set_zero_linger().unwrap();
            } else {
                let _ = file.shutdown().await;
            }
            drop(file);
            if play(stream.get_mut(), change("done").unwrap_or_else(|| vec![send("226 done\r\n")]), &count).await {
                stream.get_ref().set_zero_linger().unwrap();
                return;
            }
        }
        line.clear();
        if stream.read_line(&mut line).await.unwrap_or(0) == 0 {
            return;
        }
        seen.lock().unwrap().push(line.trim_end().to_owned());
        word = line.split([' ', '\r']).next().unwrap_or_default().to_owned();
    }
}

fn net(ftp: &Ftp) -> Net {
    let net = Net::default();
    net.name("files.example", &[PUBLIC]);
    net.route(PUBLIC, 21, ftp.control);
    net.route(PUBLIC, ftp.data.port(), ftp.data);
    net
}

fn fetcher(net: &Net) -> Fetcher {
    Fetcher::builder(user_agent())
        .limits(short_limits())
        .build_http(|client| client.with_resolver(net.clone()).with_connector(net.clone()).with_ftp())
}

async fn fetch(changes: Changes) -> (Fetched, Ftp, Net) {
    let ftp = Ftp::start(changes).await;
    let net = net(&ftp);
    let fetched = fetcher(&net).fetch(&"ftp://files.example".parse().unwrap(), None).await;
    (fetched, ftp, net)
}

#[tokio::test]
async fn a_file_is_read() {
    let (fetched, ftp, net) = fetch(&[]).await;
    assert_eq!((fetched.end, fetched.body_end), (FetchEnd::Status(200), BodyEnd::Whole), "{:?}", fetched.problem);
    assert_eq!(fetched.body, RULES.as_bytes());
    assert_eq!(fetched.hops[0].status, Some((200, Protocol::Ftp(226))));
    assert_eq!(fetched.hops[0].timings.address, Some(SocketAddr::new(PUBLIC, 21)));
    assert_eq!(net.strays(), []);
    let said = ["USER anonymous", "PASS TestBot/1.0 (+https://bot.example/)", "TYPE I", "EPSV", "RETR robots.txt"];
    assert_eq!(*ftp.commands.lock().unwrap(), said);
}

#[tokio::test]
async fn the_address_of_the_older_form_is_not_used() {
    for refusal in [|| vec![send("500 what?\r\n")], || vec![send("522 no\r\n")], || vec![send("550 no\r\n")]] {
        let changes: Changes = Box::leak(Box::new([("EPSV", refusal as fn() -> Vec<Step>)]));
        let (fetched, ftp, net) = fetch(changes).await;
        assert_eq!((fetched.end, fetched.body.len()), (FetchEnd::Status(200), RULES.len()), "{:?}", fetched.problem);
        assert_eq!(net.strays(), [], "10.0.0.7 was named");
        assert_eq!(ftp.commands.lock().unwrap()[3..], ["EPSV", "PASV", "RETR robots.txt"]);
    }
}

#[tokio::test]
async fn each_fault_ends_within_the_limits_and_none_allows() {
    use FetchEnd::{BodyBroken, Network, Status};
    use NetworkError::{Connect, Protocol as Wrong, Reset, Timeout};
    const MISSING: fn() -> Vec<Step> = || vec![send("550 no such file\r\n")];
    const ENDLESS: fn() -> Vec<Step> = || vec![Step::SendForever(vec![b'a'; 4_096])];
    const LINES: fn() -> Vec<Step> = || vec![Step::SendForever(b"220-again\r\n".repeat(100))];
    const RESET: fn() -> Vec<Step> = || vec![Step::Reset];
    const SLOW: fn() -> Vec<Step> = || vec![Step::Wait(Duration::from_secs(5))];
    const HTTP: fn() -> Vec<Step> = || vec![send("HTTP/1.1 400 Bad Request\r\n\r\n")];
    let cases: &[(&str, Changes, FetchEnd, &str)] = &[
        ("no such file", &[("RETR", MISSING)], Status(404), "AAAAA"),
        ("an empty file", &[("data", || vec![])], Status(200), "RRRRR"),
        ("no line end", &[("data", || vec![send("User-agent: *\nDisallow: /")])], Status(200), "RRRRR"),
        ("a file without end", &[("data", ENDLESS)], Status(200), "RRRRR"),
        ("a file without an end that is told", &[("done", SLOW)], Network(Timeout), "DDDDD"),
        ("a file that broke off", &[("done", || vec![send("426 sorry\r\n")])], BodyBroken(200), "DDDDD"),
        ("a file that was reset", &[("data", || vec![send("User-a"), Step::Reset])], BodyBroken(200), "DDDDD"),
        ("no word after the file", &[("done", RESET)], BodyBroken(200), "DDDDD"),
        ("a slow file", &[("data", SLOW)], Network(Timeout), "DDDDD"),
        ("busy", &[("RETR", || vec![send("450 busy\r\n")])], Network(Reset), "DDDDD"),
        ("a refusal", &[("RETR", || vec![send("553 no\r\n")])], Network(Wrong), "DDDDD"),
        (
            "busy, which holds a 550",
            &[("RETR", || vec![send("450-busy\r\n550 x\r\n450 y\r\n")])],
            Network(Reset),
            "DDDDD",
        ),
        ("nobody is let in", &[("PASS", || vec![send("530 no\r\n")])], Network(Wrong), "DDDDD"),
        ("nobody is let in, by 550", &[("PASS", MISSING)], Network(Wrong), "DDDDD"),
        ("too many", &[("hello", || vec![send("421 later\r\n")])], Network(Reset), "DDDDD"),
        ("no bytes", &[("TYPE", MISSING)], Network(Wrong), "DDDDD"),
        ("no second connection", &[("EPSV", MISSING), ("PASV", MISSING)], Network(Wrong), "DDDDD"),
        ("a closed port", &[("EPSV", || vec![send("229 (|||9|)\r\n")])], Network(Connect), "DDDDD"),
        ("a port that is none", &[("EPSV", || vec![send("229 (|||99999|)\r\n")])], Network(Wrong), "DDDDD"),
        ("a greeting without end", &[("hello", ENDLESS)], Network(Wrong), "DDDDD"),
        ("lines without end", &[("hello", LINES)], Network(Wrong), "DDDDD"),
        ("a reply without end", &[("RETR", ENDLESS)], Network(Wrong), "DDDDD"),
        ("a slow greeting", &[("hello", SLOW)], Network(Timeout), "DDDDD"),
        ("a slow reply", &[("TYPE", SLOW)], Network(Timeout), "DDDDD"),
        ("HTTP", &[("hello", HTTP)], Network(Wrong), "DDDDD"),
        ("a reset at the greeting", &[("hello", RESET)], Network(Reset), "DDDDD"),
        ("a reset at the login", &[("USER", RESET)], Network(Reset), "DDDDD"),
        ("a reset at the file", &[("RETR", RESET)], Network(Reset), "DDDDD"),
        ("bytes that are no text", &[("PASS", || vec![send(b"530 \xFF\x1B[31m\r\n")])], Network(Wrong), "DDDDD"),
    ];
    for (name, changes, end, letters) in cases {
        let (fetched, _ftp, _net) = fetch(changes).await;
        assert_eq!(fetched.end, *end, "{name}: {:?}", fetched.problem);
        assert_eq!(policies(&fetched), *letters, "{name}");
        assert!(
            fetched.body.len() <= FetchLimits::default().body + 1 && fetched.took < Duration::from_secs(3),
            "{name}"
        );
        if *end == BodyBroken(200) {
            assert_eq!(fetched.body, b"", "{name}");
        }
    }
}

#[tokio::test]
async fn ftp_is_asked_for_only_where_it_is_meant() {
    let ftp = Ftp::start(&[]).await;
    let net = net(&ftp);
    let refused = FetchEnd::Network(NetworkError::Refused);
    let plain = net.fetcher(short_limits()).fetch(&"ftp://files.example".parse().unwrap(), None).await;
    assert_eq!(plain.end, refused);
    assert!(plain.problem.unwrap().contains("feature 'ftp'"));
    let private = fetcher(&net).fetch(&"ftp://127.0.0.1".parse().unwrap(), None).await;
    assert_eq!(private.end, refused);
    let server =
        Server::always(vec![send(response("302 Found", "Location: ftp://files.example/robots.txt\r\n", ""))]).await;
    net.route(PUBLIC, 80, server.address);
    let redirected = fetcher(&net).fetch(&"http://files.example".parse().unwrap(), None).await;
    assert_eq!((redirected.end, redirected.hops.len()), (refused, 1));
    assert_eq!(*ftp.commands.lock().unwrap(), <[String; 0]>::default());
}

#[tokio::test]
async fn an_archive_of_it_is_read_back() {
    const LONG: fn() -> Vec<Step> = || vec![send("User-agent: *\nDisallow: /a\n".repeat(40_000))];
    const MISSING: fn() -> Vec<Step> = || vec![send("550 no such file\r\n")];
    const BROKEN: fn() -> Vec<Step> = || vec![send("426 sorry\r\n")];
    let cases: [(Changes, u16, usize, BodyEnd); 4] = [
        (&[], 200, RULES.len(), BodyEnd::Whole),
        (&[("RETR", MISSING)], 404, 0, BodyEnd::Whole),
        (&[("done", BROKEN)], 200, 0, BodyEnd::Incomplete),
        (&[("data", LONG)], 200, FetchLimits::default().body, BodyEnd::CutAtLimit),
    ];
    for (changes, status, bytes, end) in cases {
        let (fetched, _ftp, _net) = fetch(changes).await;
        let file = tempfile::Builder::new().suffix(".warc.gz").tempfile().unwrap();
        WarcWriter::new(&file, "TestBot/1.0").unwrap().write(&fetched).unwrap();
        let read: Vec<_> = Captures::new(vec![file.path().to_owned()], &robotsc_sources::SourceLimits::default())
            .map(Result::unwrap)
            .collect();
        let [capture] = &read[..] else { panic!("{read:?}") };
        assert_eq!(capture.url, b"ftp://files.example/robots.txt");
        let SourceAnswer::Response(response) = &capture.answer else { panic!("{capture:?}") };
        assert_eq!((response.status, response.end), (status, end));
        assert!(response.body.len().abs_diff(bytes) < 30, "{} {bytes}", response.body.len());
    }
}
