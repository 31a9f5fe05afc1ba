//! `robotsc serve`, over HTTP.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::Answers;
use crate::command::verdict;
use crate::sandbox::Sandbox;
use crate::table::File;

/// A server that answers from files and from a pack.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    address: String,
}

impl Server {
    pub(crate) fn start(pack: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--pack"]).arg(pack).env_remove("ROBOTSC_TOKEN");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the command starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("standard output")).read_line(&mut line).expect("a line");
        let address = line.trim_end().strip_prefix("http://").and_then(|line| line.strip_suffix('/'));
        Self { address: address.expect("an address").to_owned(), child }
    }

    /// Asks, and returns the object of the answer.
    fn ask(&self, path: &str, question: &Value) -> Value {
        let (body, address) = (question.to_string(), &self.address);
        let mut stream = TcpStream::connect(address).expect("it listens");
        write!(
            stream,
            "POST {path} HTTP/1.0\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert!(head.contains(" 200 "), "{path}: {answer}");
        serde_json::from_str(body).expect("an object")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the question about a file.
fn question(file: &File) -> Value {
    json!({
        "robots": { "base64": STANDARD.encode(&file.body), "force": true },
        "dialect": file.dialect.name, "agents": file.agents, "urls": file.urls,
    })
}

/// Returns the answers in a list of verdicts.
fn answers(file: &File, list: &Value) -> Answers {
    let list = list.as_array().expect("a list");
    file.answers(|agent, url| {
        let is_it = |answer: &&Value| {
            answer["url"] == url && answer["agent"].as_str().is_some_and(|name| name.eq_ignore_ascii_case(agent))
        };
        let found: Vec<&Value> = list.iter().filter(is_it).collect();
        assert_eq!(found.len(), 1, "serve {}: {agent}, {url}", file.source);
        Some(verdict(&found[0]["verdict"]))
    })
}

pub(crate) fn check(sandbox: &Sandbox, file: &File) -> Answers {
    answers(file, &sandbox.server(file).ask("/v1/check", &question(file))["answers"])
}

pub(crate) fn check_pack(sandbox: &Sandbox, file: &File) -> Answers {
    let mut question = question(file);
    question["robots"] = json!({ "pack_origin": file.origin });
    answers(file, &sandbox.server(file).ask("/v1/check", &question)["answers"])
}

/// The matrix answers all; a few explanations have to say the same.
pub(crate) fn explain_and_matrix(sandbox: &Sandbox, file: &File) -> Answers {
    let server = sandbox.server(file);
    let matrix = answers(file, &server.ask("/v1/matrix", &question(file))["verdicts"]);
    for (number, agent) in file.agents.iter().enumerate().step_by(3) {
        let at = number % file.urls.len();
        let mut question = question(file);
        let question = question.as_object_mut().expect("an object");
        question.remove("agents");
        question.remove("urls");
        question.insert("agent".to_owned(), (*agent).into());
        question.insert("url".to_owned(), file.urls[at].as_str().into());
        let explained = server.ask("/v1/explain", &Value::Object(question.clone()));
        assert_eq!(Some(verdict(&explained["verdict"])), matrix[number][at], "{}: {explained}", file.source);
    }
    matrix
}
