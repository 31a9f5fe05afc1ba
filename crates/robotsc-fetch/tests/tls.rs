//! TLS and HTTP/2: certificates that do not verify, and servers that end in the middle.

mod support;

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use robotsc_fetch::{Fetched, Fetcher};
use robotsc_frontier::outcome::{FetchEnd, NetworkError};
use rustls::RootCertStore;
use support::http2::{Act, RULES, act};
use support::tls::{Authority, start};
use support::{Net, PUBLIC, Server, response, send, short_limits, user_agent};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::server::TlsStream;

async fn fetch(server: SocketAddr, roots: RootCertStore) -> Fetched {
    let net = Net::default();
    net.name("shop.example", &[PUBLIC]);
    net.route(PUBLIC, 443, server);
    let builder = Fetcher::builder(user_agent()).limits(short_limits());
    let fetcher =
        builder.build_http(|client| client.with_resolver(net.clone()).with_connector(net.clone()).with_roots(roots));
    let fetched = fetcher.fetch(&"https://shop.example".parse().unwrap(), None).await;
    assert_eq!(net.strays(), []);
    fetched
}

async fn serve_http1(mut stream: TlsStream<TcpStream>) {
    support::read_head(&mut stream).await;
    support::play(&mut stream, vec![send(response("200 OK", "", RULES))], &Default::default()).await;
}

#[tokio::test]
async fn certificates_are_verified() {
    let (known, unknown) = (Authority::new(), Authority::new());
    let http1 = ["http/1.1"];
    for (name, acceptor, end) in [
        ("good", known.acceptor("shop.example", 2090, &http1), FetchEnd::Status(200)),
        ("expired", known.acceptor("shop.example", 2020, &http1), FetchEnd::Network(NetworkError::Tls)),
        ("another host", known.acceptor("www.shop.example", 2090, &http1), FetchEnd::Network(NetworkError::Tls)),
        ("unknown issuer", unknown.acceptor("shop.example", 2090, &http1), FetchEnd::Network(NetworkError::Tls)),
    ] {
        let fetched = fetch(start(acceptor, serve_http1).await, known.roots()).await;
        assert_eq!(fetched.end, end, "{name}: {:?}", fetched.problem);
        assert_eq!(fetched.body.is_empty(), end != FetchEnd::Status(200), "{name}");
    }
    // The roots of the web know no authority of a test.
    let acceptor = known.acceptor("shop.example", 2090, &http1);
    let roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let fetched = fetch(start(acceptor, serve_http1).await, roots).await;
    assert_eq!(fetched.end, FetchEnd::Network(NetworkError::Tls));
}

#[tokio::test]
async fn plain_text_on_the_port_of_tls() {
    for script in [vec![send(response("400 Bad Request", "", "speak TLS"))], vec![]] {
        let server = Server::always(script).await;
        let fetched = fetch(server.address, Authority::new().roots()).await;
        // A server that waits for the end of a head never gets one.
        let is_failure = matches!(fetched.end, FetchEnd::Network(NetworkError::Tls | NetworkError::Timeout));
        assert!(is_failure, "{:?}", fetched.end);
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        support::play(&mut stream, vec![send("HTTP/1.1 400 Bad Request\r\n\r\n")], &Default::default()).await;
        tokio::time::sleep(Duration::from_secs(3)).await;
    });
    let fetched = fetch(address, Authority::new().roots()).await;
    assert_eq!(fetched.end, FetchEnd::Network(NetworkError::Tls));
}

/// A server that ends while TLS is negotiated, at once or after a word.
#[tokio::test]
async fn a_connection_that_ends_within_the_handshake() {
    for word in [&b""[..], b"\x16\x03\x03\x00\x7a\x02"] {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            support::play(&mut stream, vec![send(word)], &Default::default()).await;
            stream.set_zero_linger().unwrap();
        });
        assert_eq!(fetch(address, Authority::new().roots()).await.end, FetchEnd::Network(NetworkError::Tls));
    }
}

/// A body to the end of the connection is whole only if TLS was ended: else somebody may have cut it.
#[tokio::test]
async fn a_connection_that_ends_without_a_word_is_cut() {
    let authority = Authority::new();
    for (says_goodbye, end) in [(true, FetchEnd::Status(200)), (false, FetchEnd::BodyBroken(200))] {
        let acceptor = authority.acceptor("shop.example", 2090, &["http/1.1"]);
        let address = start(acceptor, move |mut stream| async move {
            support::read_head(&mut stream).await;
            let script = vec![send("HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n")];
            support::play(&mut stream, script, &Default::default()).await;
            if says_goodbye {
                let _ = tokio::io::AsyncWriteExt::shutdown(&mut stream).await;
            }
        })
        .await;
        assert_eq!(fetch(address, authority.roots()).await.end, end, "{says_goodbye}");
    }
}

#[tokio::test]
async fn faults_of_http2() {
    use NetworkError::{Protocol, Reset, Timeout};
    let authority = Authority::new();
    for (one, ends) in [
        (Act::ClientAnswer, vec![FetchEnd::Status(200)]),
        (Act::ResetBeforeHead, vec![FetchEnd::Network(Protocol), FetchEnd::Network(Reset)]),
        (Act::ResetInBody, vec![FetchEnd::BodyBroken(200)]),
        (Act::GoAwayBeforeHead, vec![FetchEnd::Network(Protocol), FetchEnd::Network(Reset)]),
        (Act::GoAwayInBody, vec![FetchEnd::BodyBroken(200)]),
        (Act::QuietReset(None), vec![FetchEnd::BodyBroken(200)]),
        (Act::QuietReset(Some(100)), vec![FetchEnd::BodyBroken(200)]),
        // All that was announced came, but the server did not end the stream.
        (Act::QuietReset(Some(RULES.len())), vec![FetchEnd::BodyBroken(200)]),
        (Act::QuietGoAway(None), vec![FetchEnd::BodyBroken(200)]),
        (Act::QuietGoAway(Some(100)), vec![FetchEnd::BodyBroken(200)]),
        (Act::TooShort, vec![FetchEnd::BodyBroken(200)]),
        (Act::CloseInBody, vec![FetchEnd::BodyBroken(200)]),
        (Act::Silence, vec![FetchEnd::Network(Timeout)]),
        (Act::HugeHead, vec![FetchEnd::Network(Protocol), FetchEnd::Network(Reset)]),
        (Act::EndlessBody, vec![FetchEnd::Status(200)]),
        (Act::Garbage, vec![FetchEnd::Network(Protocol), FetchEnd::Network(Reset)]),
    ] {
        let acceptor = authority.acceptor("shop.example", 2090, &["h2"]);
        let fetched = fetch(start(acceptor, move |stream| act(one, stream)).await, authority.roots()).await;
        assert!(ends.contains(&fetched.end), "{one:?}: {:?} {:?}", fetched.end, fetched.problem);
        assert_eq!(fetched.body.is_empty(), fetched.end != FetchEnd::Status(200), "{one:?}");
        if let Some((_, version)) = fetched.hops[0].status {
            assert_eq!(version, http::Version::HTTP_2.into());
        }
    }
}
