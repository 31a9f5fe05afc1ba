//! Redirects: how many are followed, where they may lead, and for which origin the file is.

mod support;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use robotsc_fetch::{FetchLimits, Fetched, Fetcher};
use robotsc_frontier::origin::Origin;
use robotsc_frontier::outcome::{FetchEnd, NetworkError};
use support::{Net, PUBLIC, Server, policies, response, send, short_limits, user_agent};

const RULES: &str = "User-agent: *\nDisallow: /\n";

fn to(location: &str) -> Vec<support::Step> {
    vec![send(response("302 Found", &format!("Location: {location}\r\n"), "moved"))]
}

fn path_of(head: &str) -> String {
    head.split(' ').nth(1).unwrap_or_default().to_owned()
}

/// Names that resolve to what a fetch must not reach, and one that has both kinds.
fn net(server: &Server) -> Net {
    let net = Net::default();
    let other: IpAddr = "151.101.1.1".parse().unwrap();
    net.name("shop.example", &[PUBLIC]);
    net.name("www.shop.example", &[other]);
    net.name("intranet.example", &["10.0.0.7".parse().unwrap(), "fd00::7".parse().unwrap()]);
    net.name("localhost", &[IpAddr::V4(Ipv4Addr::LOCALHOST)]);
    net.name("both.example", &["192.168.0.1".parse().unwrap(), other]);
    for address in [PUBLIC, other] {
        net.route(address, 80, server.address);
    }
    net
}

async fn fetch(net: &Net, limits: FetchLimits) -> Fetched {
    net.fetcher(limits).fetch(&"http://shop.example".parse().unwrap(), None).await
}

#[tokio::test]
async fn five_redirects_are_followed() {
    for (chain, end, redirects, expected) in [
        (1, FetchEnd::Status(200), 1, "RRRRR"),
        (4, FetchEnd::Status(200), 4, "RRRRR"),
        (5, FetchEnd::Status(200), 5, "RRRRR"),
        (6, FetchEnd::Status(302), 5, "AAAAA"),
        (7, FetchEnd::Status(302), 5, "AAAAA"),
    ] {
        let server = Server::start(move |head| {
            let hop: u32 = path_of(head).trim_start_matches("/robots.txt").parse().unwrap_or(0);
            if hop == chain {
                vec![send(response("200 OK", "", RULES))]
            } else {
                to(&format!("/robots.txt{}", hop + 1))
            }
        })
        .await;
        let net = net(&server);
        let fetched = fetch(&net, short_limits()).await;
        assert_eq!((fetched.end, fetched.redirects), (end, redirects), "{chain}");
        assert_eq!(policies(&fetched), expected, "{chain}");
        assert_eq!(fetched.hops.len(), usize::from(redirects) + 1);
        assert_eq!(server.requests.lock().unwrap().len(), fetched.hops.len());
    }
}

/// A caller who follows fewer does not turn a chain into a missing file.
#[tokio::test]
async fn a_lower_limit_is_a_failure() {
    let server = Server::always(to("/elsewhere")).await;
    let limits = FetchLimits { redirects: 0, ..short_limits() };
    let fetched = fetch(&net(&server), limits).await;
    assert_eq!((fetched.end, fetched.redirects), (FetchEnd::Status(302), 0));
    assert_eq!(policies(&fetched), "DDDDD");
}

#[tokio::test]
async fn loops_end_where_they_began() {
    for (location, redirects) in [
        ("/robots.txt", 0),
        ("http://shop.example:80/robots.txt", 0),
        ("http://user:secret@SHOP.example/robots.txt#top", 0),
        ("//www.shop.example/robots.txt", 1),
    ] {
        let server =
            Server::start(
                move |head| {
                    if head.contains("www.") { to("http://shop.example/robots.txt") } else { to(location) }
                },
            )
            .await;
        let fetched = fetch(&net(&server), short_limits()).await;
        assert_eq!((fetched.end, fetched.redirects), (FetchEnd::RedirectLoop, redirects), "{location}");
        assert_eq!(policies(&fetched), "AAAAA");
    }
}

#[tokio::test]
async fn targets_that_are_not_public_are_refused() {
    use NetworkError::{Connect, Dns, Refused};
    for (location, error) in [
        ("file:///etc/passwd", Refused),
        ("ftp://shop.example/robots.txt", Refused),
        ("gopher://shop.example/", Refused),
        ("javascript:alert(1)", Refused),
        ("data:text/plain,User-agent:", Refused),
        ("http://127.0.0.1/robots.txt", Refused),
        ("http://127.1/robots.txt", Refused),
        ("http://2130706433/robots.txt", Refused),
        ("http://0x7f000001/robots.txt", Refused),
        ("http://0/robots.txt", Refused),
        ("http://[::1]/robots.txt", Refused),
        ("http://[::ffff:127.0.0.1]/robots.txt", Refused),
        ("http://[64:ff9b::7f00:1]/robots.txt", Refused),
        ("http://169.254.169.254/latest/meta-data/", Refused),
        ("http://[fd00:ec2::254]/", Refused),
        ("http://10.0.0.7/robots.txt", Refused),
        ("http://localhost/robots.txt", Refused),
        ("http://intranet.example/robots.txt", Refused),
        ("http://no-such-name.example/robots.txt", Dns),
        // Let through by the guard: no server has it here.
        ("http://8.8.8.8/robots.txt", Connect),
    ] {
        let server = Server::always(to(location)).await;
        let net = net(&server);
        let fetched = fetch(&net, short_limits()).await;
        assert_eq!(fetched.end, FetchEnd::Network(error), "{location}: {:?}", fetched.problem);
        assert_eq!(policies(&fetched), "DDDDD", "{location}");
        assert_eq!(server.requests.lock().unwrap().len(), 1, "{location}");
        let strays: Vec<SocketAddr> = if error == Connect { vec!["8.8.8.8:80".parse().unwrap()] } else { Vec::new() };
        assert_eq!(net.strays(), strays, "{location}");
    }
}

#[tokio::test]
async fn origins_that_are_not_public_are_refused_too() {
    let server = Server::always(vec![send(response("200 OK", "", RULES))]).await;
    let net = net(&server);
    for origin in ["http://127.0.0.1", "http://[::1]", "http://intranet.example", "http://localhost", "ftp://a.example"]
    {
        let origin: Origin = origin.parse().unwrap();
        let fetched = net.fetcher(short_limits()).fetch(&origin, None).await;
        assert_eq!(fetched.end, FetchEnd::Network(NetworkError::Refused), "{origin}");
    }
    assert_eq!(net.strays(), []);
    // A network that the caller names is allowed, and no other.
    let allowed = || Fetcher::builder(user_agent()).limits(short_limits()).allow_net("10.0.0.0/8".parse().unwrap());
    net.route("10.0.0.7".parse().unwrap(), 80, server.address);
    for (origin, end) in [
        ("http://intranet.example", FetchEnd::Status(200)),
        ("http://10.0.0.7", FetchEnd::Status(200)),
        ("http://localhost", FetchEnd::Network(NetworkError::Refused)),
    ] {
        let fetched = net.build(allowed()).fetch(&origin.parse().unwrap(), None).await;
        assert_eq!(fetched.end, end, "{origin}: {:?}", fetched.problem);
    }
}

/// Of a name with public and private addresses, only the public ones are tried.
#[tokio::test]
async fn private_addresses_of_a_public_name_are_left_out() {
    let server = Server::always(vec![send(response("200 OK", "", RULES))]).await;
    let net = net(&server);
    let fetched = net.fetcher(short_limits()).fetch(&"http://both.example".parse().unwrap(), None).await;
    assert_eq!((fetched.end, net.strays()), (FetchEnd::Status(200), vec![]));
    assert_eq!(fetched.hops[0].timings.address.map(|address| address.to_string()), Some("151.101.1.1:80".to_owned()));
}

/// The next address of a name is tried if one does not answer.
#[tokio::test]
async fn addresses_are_tried_in_turn() {
    let server = Server::always(vec![send(response("200 OK", "", RULES))]).await;
    let net = net(&server);
    net.name("twice.example", &["8.8.8.8".parse().unwrap(), PUBLIC]);
    let fetched = net.fetcher(short_limits()).fetch(&"http://twice.example".parse().unwrap(), None).await;
    assert_eq!((fetched.end, net.strays().len()), (FetchEnd::Status(200), 1));
}

#[tokio::test]
async fn the_file_is_for_the_first_origin_and_nothing_private_is_sent() {
    let server = Server::start(|head| {
        if head.contains("Host: www.") || head.contains("host: www.") {
            vec![send(response("200 OK", "Set-Cookie: a=b\r\n", RULES))]
        } else {
            vec![send(response(
                "301 Moved",
                "Set-Cookie: id=1\r\nLocation: http://user:secret@www.shop.example/robots.txt?x=1#y\r\n",
                "",
            ))]
        }
    })
    .await;
    let fetched = fetch(&net(&server), short_limits()).await;
    assert_eq!((fetched.end, fetched.origin.as_str()), (FetchEnd::Status(200), "http://shop.example"));
    let urls: Vec<&str> = fetched.hops.iter().map(|hop| hop.url.as_str()).collect();
    assert_eq!(urls, ["http://shop.example/robots.txt", "http://www.shop.example/robots.txt?x=1"]);
    let requests = server.requests.lock().unwrap().clone();
    assert!(requests[1].starts_with("GET /robots.txt?x=1 HTTP/1.1\r\n"), "{requests:?}");
    for head in &requests {
        let head = head.to_ascii_lowercase();
        assert!(head.contains("user-agent: testbot/1.0 (+https://bot.example/)\r\n"), "{head}");
        for never in ["cookie", "authorization", "referer", "secret", "if-none-match"] {
            assert!(!head.contains(never), "{head}");
        }
    }
    assert!(!format!("{fetched:?}").contains("secret@"), "the target is reported without user information");
}

#[tokio::test]
async fn conditions_go_to_the_url_that_they_belong_to() {
    let server = Server::start(|head| {
        let is_known = head.contains("if-none-match: \"v1\"");
        match path_of(head).as_str() {
            "/robots.txt" if is_known => vec![send(response("500 Wrong Question", "", ""))],
            "/robots.txt" => to("/real.txt"),
            _ if is_known => vec![send("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n")],
            _ => vec![send(response("200 OK", "ETag: \"v1\"\r\n", RULES))],
        }
    })
    .await;
    let net = net(&server);
    let first = fetch(&net, short_limits()).await;
    let validators = first.validators.clone().unwrap();
    assert_eq!(validators.url(), "http://shop.example/real.txt");
    let second = net.fetcher(short_limits()).fetch(&first.origin, Some(&validators)).await;
    assert_eq!((first.end, second.end), (FetchEnd::Status(200), FetchEnd::Status(304)));
}
