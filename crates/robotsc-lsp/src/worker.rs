//! A thread for work that can take longer than a keystroke.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender};
use lsp_server::{ErrorCode, RequestId, ResponseError};
use serde_json::Value;

use crate::document::Document;

/// The result of a request.
pub(crate) type Answer = Result<Value, ResponseError>;

/// Computes the answer to a request.
pub(crate) type Compute = Box<dyn FnOnce(&Document) -> Answer + Send>;

/// Work for a thread.
pub(crate) enum Job {
    /// Find what is wrong with a document.
    Lint(Arc<Document>),
    /// Answer a request about it.
    Answer(Request),
}

/// A request about a document.
pub(crate) struct Request {
    pub(crate) id: RequestId,
    pub(crate) document: Arc<Document>,
    pub(crate) is_cancelled: Arc<AtomicBool>,
    pub(crate) compute: Compute,
    /// The answer if the document has changed since; `None` if the answer about the old version serves.
    pub(crate) when_stale: Option<ResponseError>,
}

/// Work that is done.
pub(crate) enum Done {
    Linted(Arc<Document>),
    Answered(RequestId, Answer),
    /// A message for the person.
    Told(String),
}

/// Starts a thread that does the jobs, one by one, until there can be no more. A job about a document that has changed
/// since is not begun.
pub(crate) fn start(jobs: Receiver<Job>, done: Sender<Done>) {
    thread::spawn(move || {
        for job in jobs {
            let result = match job {
                Job::Lint(document) if document.is_stale() => continue,
                Job::Lint(document) => {
                    // What cannot be found is not shown; the next edit tries again.
                    if catch_unwind(AssertUnwindSafe(|| document.findings().len())).is_err() {
                        continue;
                    }
                    Done::Linted(document)
                }
                Job::Answer(request) => {
                    let Request { id, document, is_cancelled, compute, when_stale } = request;
                    let answer = if is_cancelled.load(Ordering::Acquire) {
                        Err(error(ErrorCode::RequestCanceled, "the request was cancelled"))
                    } else if let Some(error) = when_stale.filter(|_| document.is_stale()) {
                        Err(error)
                    } else {
                        guarded(|| compute(&document))
                    };
                    Done::Answered(id, answer)
                }
            };
            if done.send(result).is_err() {
                break;
            }
        }
    });
}

/// Computes an answer. A defect that panics is the error of one request, and not the end of the session.
pub(crate) fn guarded(compute: impl FnOnce() -> Answer) -> Answer {
    catch_unwind(AssertUnwindSafe(compute)).unwrap_or_else(|panic| {
        let what = message_of(panic.as_ref());
        Err(error(ErrorCode::InternalError, &format!("a defect of robotsc: {what}: please report it")))
    })
}

fn message_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic")
}

/// Returns the error of a request.
pub(crate) fn error(code: ErrorCode, message: &str) -> ResponseError {
    ResponseError { code: code as i32, message: message.to_owned(), data: None }
}
