//! The session with an editor: its messages, the open documents, and what is sent when.
//!
//! ```text
//! main thread    didChange 1   didChange 2   (100 ms)   ─▶ lint 2          publish 2
//! lint thread                                              └─ findings ──────┘
//! ```
//! This thread reads messages and never waits for an analysis or a file. Diagnostics follow a pause in typing; those of
//! a version that was edited meanwhile are not sent. Two other threads answer requests, each in order: one those that
//! can take long, and one the others.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, never, unbounded};
use gen_lsp_types::{
    ConfigurationItem, ConfigurationParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, MessageType, PublishDiagnosticsParams, ShowMessageParams, Uri,
    VersionedTextDocumentIdentifier,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::client::Client;
use crate::diagnostics;
use crate::document::{ContentChange, Document, edited, is_robots_txt};
use crate::file_uri;
use crate::host::Host;
use crate::lazy_profile::{Configuration, LazyProfile};
use crate::requests::{self, Work};
use crate::settings::Settings;
use crate::worker::{self, Answer, Done, Job, error};

/// The pause in typing after which diagnostics are computed.
const PAUSE: Duration = Duration::from_millis(100);

/// How a session ended, which the exit code of a language server reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The editor asked for a shutdown first: exit code 0.
    Clean,
    /// The editor went away without one: exit code 1.
    Unclean,
}

/// An open document.
struct Open {
    document: Arc<Document>,
    /// When its diagnostics are computed.
    due: Option<Instant>,
}

/// The threads that work: where their jobs are sent, and where their results are.
struct Workers {
    lint: Sender<Job>,
    /// Answers requests that can take long.
    answers: Sender<Job>,
    /// Answers the others.
    quick: Sender<Job>,
    done: Sender<Done>,
}

impl Workers {
    fn start(done: Sender<Done>) -> Self {
        let start = || {
            let (sender, jobs) = unbounded();
            worker::start(jobs, done.clone());
            sender
        };
        Self { lint: start(), answers: start(), quick: start(), done }
    }
}

/// The state of a session.
struct Session {
    sender: Sender<Message>,
    host: Arc<dyn Host>,
    client: Client,
    folder: Option<PathBuf>,
    settings: Arc<Settings>,
    configuration: Arc<Configuration>,
    /// The profiles of folders, until a configuration changes.
    profiles: BTreeMap<Option<PathBuf>, Arc<LazyProfile>>,
    /// By URI. `None` for a document that is no robots.txt.
    documents: BTreeMap<String, Option<Open>>,
    threads: Workers,
    /// The requests that are not answered yet.
    pending: BTreeMap<RequestId, Arc<AtomicBool>>,
    /// The number of requests to the editor, and the last that asks for its settings.
    asked: i32,
    settings_request: Option<RequestId>,
    /// The messages that were shown, so that each is shown once.
    shown: Vec<String>,
    is_shut_down: bool,
    /// No message can be sent any more.
    is_gone: Cell<bool>,
}

/// Talks to an editor until it ends the session or goes away.
///
/// Cost: a thread for diagnostics and two for requests. Never panics, whatever the messages.
pub fn serve(connection: Connection, host: impl Host) -> Exit {
    let Connection { sender, receiver } = connection;
    let Some(parameters) = wait_for_initialize(&sender, &receiver) else { return Exit::Unclean };
    let (done_sender, done) = unbounded();
    let mut session = Session::new(sender, Arc::new(host), &parameters, Workers::start(done_sender));
    let exit = session.run(&receiver, &done);
    // Work that is not begun is not done. What is being done has no reader any more, and is not waited for.
    session.documents.values().flatten().for_each(|open| open.document.mark_stale());
    exit
}

/// Answers messages until the editor asks to begin. Returns the parameters of that request, or `None` if the editor
/// went away.
fn wait_for_initialize(sender: &Sender<Message>, receiver: &Receiver<Message>) -> Option<Value> {
    loop {
        match receiver.recv().ok()? {
            Message::Request(Request { id, method, params }) if method == "initialize" => {
                let client = Client::new(params.get("capabilities").unwrap_or(&Value::Null));
                let result = serde_json::to_value(client.offered()).unwrap_or_default();
                sender.send(Response::new_ok(id, result).into()).ok()?;
                return Some(params);
            }
            Message::Request(Request { id, .. }) => {
                let message = "the session has not begun: send `initialize` first".to_owned();
                sender.send(Response::new_err(id, ErrorCode::ServerNotInitialized as i32, message).into()).ok()?;
            }
            Message::Notification(notification) if notification.method == "exit" => return None,
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
}

impl Session {
    fn new(sender: Sender<Message>, host: Arc<dyn Host>, parameters: &Value, threads: Workers) -> Self {
        let root = parameters.pointer("/workspaceFolders/0/uri").or_else(|| parameters.get("rootUri"));
        let folder = root.and_then(Value::as_str).and_then(file_uri::path);
        let settings = Arc::default();
        let mut session = Self {
            sender,
            client: Client::new(parameters.get("capabilities").unwrap_or(&Value::Null)),
            configuration: Arc::new(configuration(&host, &settings, folder.as_ref(), &threads.done)),
            host,
            folder,
            settings,
            profiles: BTreeMap::new(),
            documents: BTreeMap::new(),
            threads,
            pending: BTreeMap::new(),
            asked: 0,
            settings_request: None,
            shown: Vec::new(),
            is_shut_down: false,
            is_gone: Cell::new(false),
        };
        session.use_settings(parameters.get("initializationOptions").unwrap_or(&Value::Null));
        session
    }

    fn run(&mut self, receiver: &Receiver<Message>, done: &Receiver<Done>) -> Exit {
        while !self.is_gone.get() {
            let due = self.documents.values().flatten().filter_map(|open| open.due).min();
            let pause = due.map_or_else(never, crossbeam_channel::at);
            crossbeam_channel::select! {
                recv(receiver) -> message => match message {
                    Ok(Message::Notification(notification)) if notification.method == "exit" => break,
                    Ok(Message::Notification(notification)) => self.on_notification(notification),
                    Ok(Message::Request(request)) => self.on_request(request),
                    Ok(Message::Response(response)) => self.on_response(response),
                    // The editor is gone.
                    Err(_) => break,
                },
                recv(done) -> result => match result {
                    Ok(Done::Linted(document)) => self.publish(&document),
                    Ok(Done::Answered(id, answer)) => self.answer(id, answer),
                    Ok(Done::Told(message)) => self.show(message),
                    Err(_) => break,
                },
                recv(pause) -> _ => self.lint_due(),
            }
        }
        if self.is_shut_down { Exit::Clean } else { Exit::Unclean }
    }

    fn send(&self, message: impl Into<Message>) {
        if self.sender.send(message.into()).is_err() {
            self.is_gone.set(true);
        }
    }

    fn notify(&self, method: &str, params: &impl Serialize) {
        let params = serde_json::to_value(params).unwrap_or_default();
        self.send(Notification { method: method.to_owned(), params });
    }

    /// Sends a request to the editor.
    fn ask(&mut self, method: &str, params: &impl Serialize) -> RequestId {
        self.asked += 1;
        let id = RequestId::from(format!("robotsc-{}", self.asked));
        let params = serde_json::to_value(params).unwrap_or_default();
        self.send(Request { id: id.clone(), method: method.to_owned(), params });
        id
    }

    fn answer(&mut self, id: RequestId, answer: Answer) {
        self.pending.remove(&id);
        self.send(Response { id, response_result: answer });
    }

    /// Shows a message, once.
    fn show(&mut self, message: String) {
        if !self.shown.contains(&message) {
            self.notify(
                "window/showMessage",
                &ShowMessageParams { kind: MessageType::Error, message: message.clone() },
            );
            self.shown.push(message);
        }
    }

    fn on_notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let result = match method.as_str() {
            "initialized" => {
                self.on_initialized();
                Ok(())
            }
            "textDocument/didOpen" => read(params).map(|params| self.on_open(params)),
            "textDocument/didChange" => read(params).map(|params| self.on_change(params)),
            "textDocument/didClose" => read(params).map(|params: DidCloseTextDocumentParams| {
                self.on_close(&params.text_document.uri);
            }),
            "textDocument/didSave" => read(params).map(|params: DidSaveTextDocumentParams| {
                if self.is_of_configuration(params.text_document.uri.as_ref()) {
                    self.forget_profiles();
                }
            }),
            "workspace/didChangeWatchedFiles" => {
                self.forget_profiles();
                Ok(())
            }
            "workspace/didChangeConfiguration" => {
                match params.get("settings").filter(|settings| !settings.is_null()) {
                    Some(settings) if !self.client.has_configuration => self.use_settings(&settings.clone()),
                    _ => self.ask_for_settings(),
                }
                Ok(())
            }
            "$/cancelRequest" => {
                let id = params.get("id").cloned().and_then(|id| serde_json::from_value::<RequestId>(id).ok());
                if let Some(is_cancelled) = id.and_then(|id| self.pending.get(&id)) {
                    is_cancelled.store(true, Ordering::Release);
                }
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(error) = result {
            self.show(format!("bad message: {method}: {error}: the editor and robotsc disagree on the protocol"));
        }
    }

    /// Asks the editor for what can only be asked for now.
    fn on_initialized(&mut self) {
        self.ask_for_settings();
        if self.client.watches_files {
            let watchers = json!([{ "globPattern": "**/robotsc.toml" }]);
            let registration = json!({
                "id": "robotsc.toml", "method": "workspace/didChangeWatchedFiles",
                "registerOptions": { "watchers": watchers },
            });
            self.ask("client/registerCapability", &json!({ "registrations": [registration] }));
        }
    }

    fn ask_for_settings(&mut self) {
        if self.client.has_configuration {
            let item = ConfigurationItem { scope_uri: None, section: Some("robotsc".to_owned()) };
            let params = ConfigurationParams { items: vec![item] };
            self.settings_request = Some(self.ask("workspace/configuration", &params));
        }
    }

    /// Takes in what the editor answers.
    fn on_response(&mut self, response: Response) {
        if self.settings_request.as_ref() == Some(&response.id) {
            self.settings_request = None;
            if let Ok(Value::Array(items)) = response.response_result
                && let Some(settings) = items.first().filter(|settings| !settings.is_null())
            {
                self.use_settings(settings);
            }
        }
    }

    fn use_settings(&mut self, value: &Value) {
        let settings = match Settings::read(value) {
            Ok(settings) => settings,
            Err(message) => return self.show(message),
        };
        self.settings = Arc::new(settings);
        self.forget_profiles();
    }

    /// Reports whether a document is a robotsc.toml or has the file name of a configured sitemap.
    fn is_of_configuration(&self, uri: &str) -> bool {
        let path = file_uri::path(uri);
        let Some(name) = path.as_deref().and_then(Path::file_name) else { return false };
        name == "robotsc.toml" || self.settings.sitemaps.iter().any(|file| Path::new(file).file_name() == Some(name))
    }

    /// Has the options of projects and the sitemaps read anew, and lints what is open.
    fn forget_profiles(&mut self) {
        let configuration = configuration(&self.host, &self.settings, self.folder.as_ref(), &self.threads.done);
        self.configuration = Arc::new(configuration);
        self.profiles.clear();
        self.shown.clear();
        let uris: Vec<String> = self.documents.keys().cloned().collect();
        for uri in uris {
            let profile = self.profile(&uri);
            if let Some(Some(open)) = self.documents.get_mut(&uri) {
                let old = Arc::clone(&open.document);
                old.mark_stale();
                let Document { uri, version, text, encoding, .. } = &*old;
                open.document = Arc::new(Document::new(uri.clone(), *version, text.clone(), profile, *encoding));
                open.due = Some(Instant::now());
            }
        }
        if self.client.pulls_diagnostics && !self.documents.is_empty() {
            self.ask("workspace/diagnostic/refresh", &Value::Null);
        }
    }

    /// Returns how a document is read.
    fn profile(&mut self, uri: &str) -> Arc<LazyProfile> {
        let folder = file_uri::path(uri).and_then(|path| path.parent().map(Path::to_owned)).or(self.folder.clone());
        let new = || Arc::new(LazyProfile::new(Arc::clone(&self.configuration), folder.clone()));
        Arc::clone(self.profiles.entry(folder.clone()).or_insert_with(new))
    }

    fn on_open(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        let uri = item.uri.to_string();
        self.on_close(&item.uri);
        let language = String::from(item.language_id);
        if !is_robots_txt(&language, &uri) {
            self.documents.insert(uri, None);
            return;
        }
        let profile = self.profile(&uri);
        let document = Document::new(item.uri, item.version, item.text, profile, self.client.encoding);
        self.documents.insert(uri, Some(Open { document: Arc::new(document), due: Some(Instant::now()) }));
    }

    fn on_change(&mut self, params: Changes) {
        let uri = params.text_document.text_document_identifier.uri.to_string();
        let Some(Some(open)) = self.documents.get_mut(&uri) else { return };
        open.document.mark_stale();
        let Document { uri, text, lazy_profile, encoding, .. } = &*open.document;
        let text = edited(text, &params.content_changes, *encoding);
        let (uri, version) = (uri.clone(), params.text_document.version);
        open.document = Arc::new(Document::new(uri, version, text, Arc::clone(lazy_profile), *encoding));
        open.due = Some(Instant::now() + PAUSE);
    }

    fn on_close(&mut self, uri: &Uri) {
        if let Some(Some(open)) = self.documents.remove(uri.as_ref()) {
            open.document.mark_stale();
            if !self.client.pulls_diagnostics {
                let params = PublishDiagnosticsParams { uri: uri.clone(), version: None, diagnostics: Vec::new() };
                self.notify("textDocument/publishDiagnostics", &params);
            }
        }
    }

    /// Starts the analysis of documents that were not edited for a while.
    fn lint_due(&mut self) {
        let now = Instant::now();
        for open in self.documents.values_mut().flatten() {
            if open.due.is_some_and(|due| due <= now) {
                open.due = None;
                let _ = self.threads.lint.send(Job::Lint(Arc::clone(&open.document)));
            }
        }
    }

    /// Shows what was found, unless the document has changed since.
    fn publish(&self, document: &Document) {
        if document.is_stale() || self.client.pulls_diagnostics {
            return;
        }
        let (uri, version) = (document.uri.clone(), Some(document.version));
        let diagnostics = diagnostics::of(document, self.client.shows_related);
        self.notify("textDocument/publishDiagnostics", &PublishDiagnosticsParams { uri, version, diagnostics });
    }

    fn on_request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        if self.is_shut_down {
            let refused = error(ErrorCode::InvalidRequest, "the session has ended: only `exit` can follow");
            return self.answer(id, Err(refused));
        }
        match method.as_str() {
            "shutdown" => {
                self.is_shut_down = true;
                return self.answer(id, Ok(Value::Null));
            }
            "initialize" => {
                return self.answer(id, Err(error(ErrorCode::InvalidRequest, "the session has begun already")));
            }
            _ => {}
        }
        let Some(work) = requests::work(&method, params, &self.client) else {
            let refused = error(ErrorCode::MethodNotFound, &format!("no such method: {method}"));
            return self.answer(id, Err(refused));
        };
        let (uri, work) = match work {
            Ok(work) => work,
            Err(what) => {
                let refused = error(ErrorCode::InvalidParams, &format!("bad parameters: {method}: {what}"));
                return self.answer(id, Err(refused));
            }
        };
        let document = match self.documents.get(&uri) {
            Some(Some(open)) => Arc::clone(&open.document),
            Some(None) => return self.answer(id, Ok(work.of_other_language())),
            None => {
                let refused = error(ErrorCode::InvalidParams, &format!("no such document: {uri}: it is not open"));
                return self.answer(id, Err(refused));
            }
        };
        let when_stale = work.when_stale();
        let (thread, compute) = match work {
            Work::Now(compute) => (&self.threads.quick, compute),
            Work::Later(compute) | Work::Diagnose(compute) => (&self.threads.answers, compute),
        };
        let is_cancelled = Arc::new(AtomicBool::new(false));
        self.pending.insert(id.clone(), Arc::clone(&is_cancelled));
        let _ = thread.send(Job::Answer(worker::Request { id, document, is_cancelled, compute, when_stale }));
    }
}

/// Returns a configuration whose messages are among the results of the threads.
fn configuration(
    host: &Arc<dyn Host>,
    settings: &Arc<Settings>,
    folder: Option<&PathBuf>,
    done: &Sender<Done>,
) -> Configuration {
    let done = done.clone();
    // Without a session, nobody reads the message.
    let show = move |message| drop(done.send(Done::Told(message)));
    Configuration::new(Arc::clone(host), Arc::clone(settings), folder.cloned(), show)
}

/// A change of a document. The type of `gen_lsp_types` takes a change with a range that is none for all of the text.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Changes {
    text_document: VersionedTextDocumentIdentifier,
    content_changes: Vec<ContentChange>,
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, serde_json::Error> {
    serde_json::from_value(params)
}
