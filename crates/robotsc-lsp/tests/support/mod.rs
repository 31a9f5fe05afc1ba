//! An editor for tests: it talks to a server over any channel, and shows answers as lines of text.
#![allow(dead_code, reason = "each test uses a part")]

mod model;
mod shown;
mod transcript;

use std::collections::BTreeMap;
use std::path::Path;

use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use model::{Cursor, Model};
pub(crate) use transcript::run_all;

/// A way to a server.
pub(crate) trait Channel {
    /// Sends a message.
    fn send(&mut self, message: Message);
    /// Waits for a message.
    fn receive(&mut self) -> Message;
}

/// The document of all tests.
pub(crate) const URI: &str = "file:///srv/robots.txt";

/// An editor with one document.
pub(crate) struct Editor<C> {
    channel: C,
    next: i32,
    version: i32,
    pub(crate) model: Model,
    pub(crate) cursor: Cursor,
    /// What the server offers.
    pub(crate) offered: Value,
    settings: Value,
    /// The diagnostics that were sent last, by version.
    published: BTreeMap<i64, Value>,
    /// The messages that were shown.
    pub(crate) messages: Vec<String>,
}

impl<C: Channel> Editor<C> {
    /// Begins a session.
    pub(crate) fn new(channel: C, capabilities: &Value, options: &Value) -> Self {
        let mut editor = Self {
            channel,
            next: 0,
            version: 0,
            model: Model::default(),
            cursor: Cursor::default(),
            offered: Value::Null,
            settings: options.clone(),
            published: BTreeMap::new(),
            messages: Vec::new(),
        };
        let root = format!("file://{}", Path::new(env!("CARGO_MANIFEST_DIR")).display());
        let params = json!({
            "processId": null, "rootUri": root, "capabilities": capabilities, "initializationOptions": options,
        });
        editor.offered = editor.request("initialize", &params).expect("an answer");
        editor.notify("initialized", &json!({}));
        editor
    }

    /// Sends a notification.
    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.channel.send(Notification { method: method.to_owned(), params: params.clone() }.into());
    }

    /// Sends a request and waits for its answer.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        let id = self.begin(method, params);
        self.wait(&id)
    }

    /// Sends a request.
    pub(crate) fn begin(&mut self, method: &str, params: &Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.channel.send(Request { id: id.clone(), method: method.to_owned(), params: params.clone() }.into());
        id
    }

    /// Waits for the answer to a request.
    pub(crate) fn wait(&mut self, id: &RequestId) -> Result<Value, Value> {
        loop {
            match self.channel.receive() {
                Message::Response(response) if response.id == *id => {
                    return response.response_result.map_err(|error| serde_json::to_value(error).expect("JSON"));
                }
                message => self.take(message),
            }
        }
    }

    /// As [`Editor::wait`], past answers to requests before.
    pub(crate) fn wait_past(&mut self, id: &RequestId) -> Result<Value, Value> {
        loop {
            match self.channel.receive() {
                Message::Response(response) if response.id == *id => {
                    return response.response_result.map_err(|error| serde_json::to_value(error).expect("JSON"));
                }
                Message::Response(_) => {}
                message => self.take(message),
            }
        }
    }

    /// Takes in a message that is no awaited answer.
    fn take(&mut self, message: Message) {
        match message {
            Message::Notification(Notification { method, params }) => match method.as_str() {
                "textDocument/publishDiagnostics" => {
                    let version = params["version"].as_i64().unwrap_or(-1);
                    self.published.insert(version, params["diagnostics"].clone());
                }
                "window/showMessage" => self.messages.push(params["message"].as_str().unwrap_or_default().to_owned()),
                other => panic!("a notification {other}"),
            },
            Message::Request(Request { id, method, .. }) => {
                let result = if method == "workspace/configuration" { json!([self.settings]) } else { Value::Null };
                self.channel.send(Response { id, response_result: Ok(result) }.into());
            }
            Message::Response(response) => panic!("an answer to nothing: {response:?}"),
        }
    }

    /// Opens the document. `text` has the cursor in it.
    pub(crate) fn open(&mut self, text: &str) {
        self.open_as(URI, text);
    }

    /// Opens a document with a name.
    pub(crate) fn open_as(&mut self, uri: &str, text: &str) {
        self.version += 1;
        let (model, cursor) = Model::with_cursor(text);
        (self.model, self.cursor) = (model, cursor);
        let item = json!({
            "uri": uri, "languageId": "robots-txt", "version": self.version, "text": self.model.text(),
        });
        self.notify("textDocument/didOpen", &json!({ "textDocument": item }));
    }

    /// Talks to the server without this editor.
    pub(crate) fn send_raw(&mut self, talk: impl FnOnce(&mut C)) {
        talk(&mut self.channel);
    }

    /// Changes the model as the server was told to.
    pub(crate) fn change_model(&mut self, change: &Value) {
        self.version += 1;
        self.model.apply(change);
    }

    /// Changes the document, as the model does.
    pub(crate) fn change(&mut self, changes: &Value) {
        self.version += 1;
        for change in changes.as_array().expect("a list") {
            self.model.apply(change);
        }
        let document = json!({ "uri": URI, "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", &params);
    }

    /// Waits for the diagnostics of this version.
    pub(crate) fn diagnostics(&mut self) -> Value {
        loop {
            if let Some(found) = self.published.get(&i64::from(self.version)) {
                return found.clone();
            }
            let message = self.channel.receive();
            self.take(message);
        }
    }

    /// The versions that diagnostics were sent for.
    pub(crate) fn published(&self) -> Vec<i64> {
        self.published.keys().copied().collect()
    }

    /// Forgets what was sent, so that the next diagnostics are waited for.
    pub(crate) fn forget_published(&mut self) {
        self.published.clear();
    }

    /// Returns the parameters of a request at the cursor, with more.
    pub(crate) fn at_cursor(&self, more: &Value) -> Value {
        let mut params = json!({ "textDocument": { "uri": URI }, "position": self.cursor.position });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        params
    }

    /// Ends the session.
    pub(crate) fn close(mut self) -> C {
        assert_eq!(self.request("shutdown", &Value::Null), Ok(Value::Null));
        self.notify("exit", &Value::Null);
        self.channel
    }
}

/// Returns an answer as text. Panics if a range in it is not in the document.
pub(crate) fn shown_answer<C>(editor: &Editor<C>, method: &str, result: &Value) -> String {
    shown::answer(&editor.model, method, result)
}
