//! A server of HTTP/2 that answers, or fails in one of many ways.

use std::time::Duration;

use h2::server::SendResponse;
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::{Step, play};

/// The body of each answer.
pub(crate) const RULES: &[u8] = b"User-agent: *\nDisallow: /\n";

/// What a server of HTTP/2 does with its first stream.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    ClientAnswer,
    ResetBeforeHead,
    ResetInBody,
    GoAwayBeforeHead,
    GoAwayInBody,
    /// A reset for no error, with a length that was announced or without.
    QuietReset(Option<usize>),
    QuietGoAway(Option<usize>),
    TooShort,
    CloseInBody,
    Silence,
    HugeHead,
    EndlessBody,
    Garbage,
}

impl Act {
    /// Returns one at random, of which a third answer.
    pub(crate) fn random() -> Self {
        match fastrand::u32(0..21) {
            0 => Self::ResetBeforeHead,
            1 => Self::ResetInBody,
            2 => Self::GoAwayBeforeHead,
            3 => Self::GoAwayInBody,
            4 => Self::QuietReset(None),
            5 => Self::QuietReset(Some(100)),
            6 => Self::QuietReset(Some(RULES.len())),
            7 => Self::QuietGoAway(None),
            8 => Self::TooShort,
            9 => Self::CloseInBody,
            10 => Self::Silence,
            11 => Self::HugeHead,
            12 => Self::EndlessBody,
            13 => Self::Garbage,
            _ => Self::ClientAnswer,
        }
    }
}

pub(crate) async fn act(act: Act, stream: TlsStream<TcpStream>) {
    if matches!(act, Act::Garbage) {
        let mut stream = stream;
        play(&mut stream, vec![Step::SendForever(vec![0xEE; 4096])], &Default::default()).await;
        return;
    }
    let Ok(mut connection) = h2::server::handshake(stream).await else { return };
    let Some(Ok((_, mut respond))) = connection.accept().await else { return };
    let head = |length: usize| http::Response::builder().status(200).header("content-length", length).body(()).unwrap();
    let open = |respond: &mut SendResponse<_>, length| respond.send_response(head(length), false).unwrap();
    match act {
        Act::ClientAnswer => {
            let mut body = open(&mut respond, RULES.len());
            body.send_data(RULES.into(), true).unwrap();
        }
        Act::ResetBeforeHead => respond.send_reset(h2::Reason::INTERNAL_ERROR),
        Act::ResetInBody => {
            let mut body = open(&mut respond, 100);
            body.send_data(RULES.into(), false).unwrap();
            // What was queued is sent while the connection is polled.
            let _ = tokio::time::timeout(Duration::from_millis(100), connection.accept()).await;
            body.send_reset(h2::Reason::CANCEL);
        }
        Act::GoAwayBeforeHead => connection.abrupt_shutdown(h2::Reason::ENHANCE_YOUR_CALM),
        Act::GoAwayInBody => {
            let mut body = open(&mut respond, 100);
            body.send_data(RULES.into(), false).unwrap();
            let _ = tokio::time::timeout(Duration::from_millis(100), connection.accept()).await;
            connection.abrupt_shutdown(h2::Reason::INTERNAL_ERROR);
        }
        Act::QuietReset(length) | Act::QuietGoAway(length) => {
            let mut head = http::Response::builder().status(200);
            if let Some(length) = length {
                head = head.header("content-length", length);
            }
            let mut body = respond.send_response(head.body(()).unwrap(), false).unwrap();
            body.send_data(RULES.into(), false).unwrap();
            let _ = tokio::time::timeout(Duration::from_millis(100), connection.accept()).await;
            if matches!(act, Act::QuietReset(_)) {
                body.send_reset(h2::Reason::NO_ERROR);
            } else {
                connection.abrupt_shutdown(h2::Reason::NO_ERROR);
            }
        }
        Act::TooShort => {
            let mut body = open(&mut respond, 100);
            body.send_data(RULES.into(), true).unwrap();
        }
        Act::CloseInBody => {
            let mut body = open(&mut respond, 100);
            body.send_data(RULES.into(), false).unwrap();
            let _ = tokio::time::timeout(Duration::from_millis(100), connection.accept()).await;
            return;
        }
        Act::Silence | Act::Garbage => {}
        Act::HugeHead => {
            let head = http::Response::builder().status(200).header("x", "a".repeat(100 << 10)).body(()).unwrap();
            let _ = respond.send_response(head, true);
        }
        Act::EndlessBody => {
            let head = http::Response::builder().status(200).body(()).unwrap();
            let mut body = respond.send_response(head, false).unwrap();
            tokio::spawn(async move {
                body.send_data(RULES.into(), false).unwrap();
                loop {
                    body.reserve_capacity(16 << 10);
                    let Some(Ok(room)) = std::future::poll_fn(|cx| body.poll_capacity(cx)).await else { return };
                    if body.send_data(vec![b'#'; room].into(), false).is_err() {
                        return;
                    }
                }
            });
        }
    }
    // It is the client that has to end it.
    let _ = tokio::time::timeout(Duration::from_secs(60), connection.accept()).await;
}
