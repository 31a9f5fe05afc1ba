//! Messages over standard input and output.
//!
//! ```text
//! Content-Length: 46\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"shutdown"}
//! ```
//! `lsp_server` has such a transport, and it ends at the first message that is no valid one. This one answers such a
//! message with an error and goes on, since the length says where the next one starts. Only a header that cannot be
//! read ends it: where the next message starts is not known then.

use std::io::{self, BufRead, Read as _, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crossbeam_channel::unbounded;
use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};

use crate::surrogates::without_lone;

/// The longest message that is read: far more than any robots.txt, and less than memory.
const MAX_MESSAGE_BYTES: usize = 64 << 20;
/// The longest header that is read.
const MAX_HEADER_BYTES: u64 = 8 << 10;

/// The threads that read and write messages.
pub(crate) struct IoThreads {
    reader: thread::JoinHandle<io::Result<()>>,
    writer: thread::JoinHandle<io::Result<()>>,
}

impl IoThreads {
    /// Waits for the last message to be written, after the server has dropped its end. The reader is not waited for if
    /// it still reads: it may never get another byte. An editor that closes the output is gone, which is no error.
    pub(crate) fn join(self) -> io::Result<()> {
        let written = self.writer.join().unwrap_or(Ok(()));
        let ended = if self.reader.is_finished() { self.reader.join().unwrap_or(Ok(())).and(written) } else { written };
        match ended {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            ended => ended,
        }
    }
}

/// Connects the server to an input and an output.
pub(crate) fn connect(
    mut input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> (Connection, IoThreads) {
    let (to_server, from_editor) = unbounded::<Message>();
    let (to_editor, from_server) = unbounded::<Message>();
    let output = Arc::new(Mutex::new(output));
    let errors = Arc::clone(&output);
    let reader = thread::spawn(move || {
        while let Some(body) = read_body(&mut input)? {
            match message(&body) {
                Ok(None) => {}
                Ok(Some(message)) => {
                    let is_exit = matches!(&message, Message::Notification(it) if it.method == "exit");
                    if to_server.send(message).is_err() || is_exit {
                        break;
                    }
                }
                Err(answer) => write_body(&errors, answer.to_string().as_bytes())?,
            }
        }
        Ok(())
    });
    let writer = thread::spawn(move || {
        for message in from_server {
            let mut value = serde_json::to_value(&message)?;
            value["jsonrpc"] = "2.0".into();
            write_body(&output, value.to_string().as_bytes())?;
        }
        Ok(())
    });
    (Connection { sender: to_editor, receiver: from_editor }, IoThreads { reader, writer })
}

/// Reads a message, or `None` at the end of the input.
fn read_body(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let bad = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut length: Option<usize> = None;
    let mut header = input.take(MAX_HEADER_BYTES);
    loop {
        let mut line = Vec::new();
        header.read_until(b'\n', &mut line)?;
        let text = line.trim_ascii();
        match (line.last(), text) {
            (None, _) if header.limit() > 0 && length.is_none() => return Ok(None),
            (Some(b'\n'), b"") => break,
            (Some(b'\n'), _) => {
                let colon =
                    text.iter().position(|byte| *byte == b':').ok_or_else(|| bad("a header without a colon"))?;
                if text[..colon].eq_ignore_ascii_case(b"content-length") {
                    let value = std::str::from_utf8(text[colon + 1..].trim_ascii()).unwrap_or_default();
                    length = Some(value.parse().map_err(|_| bad("a Content-Length that is no number"))?);
                }
            }
            _ => return Err(bad("a header that does not end")),
        }
    }
    let length = length.ok_or_else(|| bad("a message without Content-Length"))?;
    if length > MAX_MESSAGE_BYTES {
        return Err(bad("a message of more than 64 MiB"));
    }
    let mut body = Vec::new();
    match input.take(length as u64).read_to_end(&mut body)? == length {
        true => Ok(Some(body)),
        false => Err(bad("a message that is cut short")),
    }
}

fn write_body(output: &Mutex<impl Write>, body: &[u8]) -> io::Result<()> {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    write!(output, "Content-Length: {}\r\n\r\n", body.len())?;
    output.write_all(body)?;
    output.flush()
}

/// Reads a message; `None` for a response without a result, which is ignored, since no response follows a response.
///
/// # Errors
/// The response to one that cannot be read.
fn message(body: &[u8]) -> Result<Option<Message>, Value> {
    let refused = |id: Value, code: ErrorCode, message: String| {
        let error = json!({ "code": code as i32, "message": message });
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    };
    let value: Value = serde_json::from_slice(&without_lone(body))
        .map_err(|error| refused(Value::Null, ErrorCode::ParseError, format!("not valid JSON: {error}")))?;
    let id = value.get("id").cloned().unwrap_or_default();
    let has_method = value.get("method").is_some_and(Value::is_string);
    let is_response = value.get("id").is_some() && value.get("method").is_none();
    let message = serde_json::from_value(value).ok();
    match message {
        // With an id that is none it would be taken for a notification, and never be answered.
        Some(Message::Notification(_)) | None if has_method && !id.is_null() => {
            Err(refused(id, ErrorCode::InvalidRequest, "the id must be a string or a 32-bit integer".into()))
        }
        Some(message) => Ok(Some(message)),
        None if is_response => Ok(None),
        None => Err(refused(id, ErrorCode::InvalidRequest, "a message must have a method or a result".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends bytes, and returns the messages that arrive and what is written.
    fn exchange(input: &[u8]) -> (Vec<Message>, String, io::Result<()>) {
        #[derive(Clone, Default)]
        struct Out(Arc<Mutex<Vec<u8>>>);
        impl Write for Out {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.lock().expect("no panic").write(bytes)
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let out = Out::default();
        let (connection, threads) = connect(io::Cursor::new(input.to_vec()), out.clone());
        let messages: Vec<Message> = connection.receiver.iter().collect();
        drop(connection);
        let end = threads.reader.join().expect("no panic");
        threads.writer.join().expect("no panic").expect("written");
        let written = String::from_utf8(out.0.lock().expect("no panic").clone()).expect("text");
        (messages, written, end)
    }

    fn framed(body: &str) -> Vec<u8> {
        format!("content-length: {}\r\nContent-Type: x\r\n\r\n{body}", body.len()).into_bytes()
    }

    #[test]
    fn a_bad_message_does_not_end_the_session() {
        for (body, code) in [
            ("{", -32700),
            (r#"{"id": 1, "method": "\ud8"}"#, -32700),
            ("\"\u{1}\"", -32700),
            ("[]", -32600),
            ("{}", -32600),
            (r#"{"id": 99999999999, "method": "x"}"#, -32600),
            (r#"{"id": {}, "method": "x"}"#, -32600),
            (r#"{"id": 1, "method": 2}"#, -32600),
            (&"[".repeat(100_000), -32700),
        ] {
            let input = [framed(body), framed(r#"{"jsonrpc":"2.0","method":"exit"}"#)].concat();
            let (messages, written, end) = exchange(&input);
            assert!(matches!(&messages[..], [Message::Notification(it)] if it.method == "exit"), "{body}");
            assert!(written.contains(&format!("\"code\":{code}")), "{body}: {written}");
            assert!(end.is_ok());
        }
    }

    #[test]
    fn a_response_is_never_answered() {
        for body in [r#"{"id": 3}"#, r#"{"id": {}}"#, r#"{"id": null, "error": 7}"#, r#"{"id": 3, "error": {}}"#] {
            let input = [framed(body), framed(r#"{"jsonrpc":"2.0","method":"exit"}"#)].concat();
            let (messages, written, end) = exchange(&input);
            assert_eq!((messages.len(), &*written, end.is_ok()), (1, "", true), "{body}");
        }
    }

    #[test]
    fn an_editor_that_closes_the_output_ends_the_session_quietly() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for body in ["{", r#"{"jsonrpc":"2.0","id":1,"method":"x"}"#] {
            let (connection, threads) = connect(io::Cursor::new(framed(body)), Closed);
            for message in &connection.receiver {
                let lsp_server::Message::Request(request) = message else { panic!("a request") };
                let answer = lsp_server::Response::new_ok(request.id, ());
                connection.sender.send(answer.into()).expect("a writer");
            }
            drop(connection);
            assert!(threads.join().is_ok(), "{body}");
        }
    }

    #[test]
    fn a_lone_surrogate_is_a_character() {
        let (messages, ..) = exchange(&framed(r#"{"method":"x","params":{"text":"\ud83d"}}"#));
        assert!(matches!(&messages[..], [Message::Notification(it)] if it.params["text"] == "\u{FFFD}"));
    }

    #[test]
    fn a_header_that_cannot_be_read_ends_the_session() {
        for (input, is_clean) in [
            ("", true),
            ("x\r\n\r\n", false),
            ("Content-Length: x\r\n\r\n", false),
            ("Content-Length: 99999999999\r\n\r\n", false),
            ("Content-Length: 5\r\n\r\n{}", false),
            ("Content-Length: 2", false),
            ("\r\n", false),
        ] {
            let (messages, _, end) = exchange(input.as_bytes());
            assert_eq!((messages.len(), end.is_ok()), (0, is_clean), "{input:?}");
        }
        assert!(exchange(&vec![b'x'; 1 << 20]).2.is_err());
    }
}
