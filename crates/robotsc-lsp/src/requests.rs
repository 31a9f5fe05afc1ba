//! The requests of an editor: their parameters, and what answers them.

use gen_lsp_types::{
    CodeAction, CodeActionParams, CompletionParams, Diagnostic, DocumentDiagnosticParams, DocumentFormattingParams,
    DocumentSymbolParams, FoldingRangeParams, HoverParams, PrepareRenameParams, RenameParams, SemanticTokensParams,
};
use lsp_server::{ErrorCode, ResponseError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::client::Client;
use crate::document::Document;
use crate::worker::{Answer, Compute, error};
use crate::{actions, completion, diagnostics, folding, formatting, hover, rename, symbols, tokens};

/// How a request about a document is answered.
pub(crate) enum Work {
    /// In one pass over the document, before longer work.
    Now(Compute),
    /// With an analysis, or a large answer.
    Later(Compute),
    /// As [`Work::Later`], with diagnostics.
    Diagnose(Compute),
}

impl Work {
    /// Returns the answer about a document that is no robots.txt. A report of diagnostics cannot be null.
    pub(crate) fn of_other_language(&self) -> Value {
        match self {
            Self::Diagnose(_) => report(&[]),
            Self::Now(_) | Self::Later(_) => Value::Null,
        }
    }

    /// Returns the answer to a request about a document that has changed since; `None` if the answer about the old
    /// version serves: an editor that completes while one types goes on with it.
    pub(crate) fn when_stale(&self) -> Option<ResponseError> {
        const CHANGED: &str = "the document has changed since";
        match self {
            // After the other error, some editors show that nothing is wrong. After a change of the configuration
            // alone, they do not ask again on their own.
            Self::Diagnose(_) => Some(ResponseError {
                data: Some(json!({ "retriggerRequest": true })),
                ..error(ErrorCode::ServerCancelled, CHANGED)
            }),
            Self::Later(_) => Some(error(ErrorCode::ContentModified, CHANGED)),
            Self::Now(_) => None,
        }
    }
}

/// Returns a report of diagnostics.
fn report(items: &[Diagnostic]) -> Value {
    json!({ "kind": "full", "items": items })
}

/// Returns the URI of the document that a request is about, and what answers it; `None` for an unknown method.
pub(crate) fn work(method: &str, params: Value, client: &Client) -> Option<Result<(String, Work), serde_json::Error>> {
    let client = client.clone();
    Some(match method {
        "textDocument/hover" => later(params, move |document, params: HoverParams| {
            let position = params.text_document_position_params.position;
            Ok(value(hover::hover(document, position, client.shows_markdown)))
        }),
        "textDocument/codeAction" => later(params, move |document, params: CodeActionParams| {
            Ok(value(actions::actions(document, &params, &client)))
        }),
        "codeAction/resolve" => resolve(params, client),
        "textDocument/formatting" => {
            later(params, move |document, _: DocumentFormattingParams| formatting::format(document).map(value))
        }
        "textDocument/diagnostic" => {
            let compute = move |document: &Document, _: DocumentDiagnosticParams| {
                Ok(report(&diagnostics::of(document, client.shows_related)))
            };
            prepared(params, compute).map(|(uri, compute)| (uri, Work::Diagnose(compute)))
        }
        "textDocument/completion" => now(params, move |document, params: CompletionParams| {
            let position = params.text_document_position_params.position;
            Ok(value(completion::completions(document, position, client.documents_markdown)))
        }),
        "textDocument/prepareRename" => now(params, move |document, params: PrepareRenameParams| {
            Ok(value(rename::prepared(document, params.text_document_position_params.position)))
        }),
        "textDocument/rename" => now(params, move |document, params: RenameParams| {
            let position = params.text_document_position_params.position;
            rename::renamed(document, position, &params.new_name, &client).map(value)
        }),
        "textDocument/documentSymbol" => now(params, move |document, _: DocumentSymbolParams| {
            Ok(if client.shows_trees { value(symbols::tree(document)) } else { value(symbols::list(document)) })
        }),
        "textDocument/foldingRange" => {
            now(params, move |document, _: FoldingRangeParams| Ok(value(folding::folds(document))))
        }
        "textDocument/semanticTokens/full" => {
            later(params, move |document, _: SemanticTokensParams| Ok(value(tokens::tokens(document))))
        }
        _ => return None,
    })
}

fn value(result: impl Serialize) -> Value {
    serde_json::to_value(result).unwrap_or_default()
}

/// Reads parameters with the URI of their document.
fn read<P: DeserializeOwned>(params: Value) -> Result<(String, P), serde_json::Error> {
    let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok((uri, serde_json::from_value(params)?))
}

/// Reads parameters, and returns what answers the request.
fn prepared<P: DeserializeOwned + Send + 'static>(
    params: Value,
    answer: impl FnOnce(&Document, P) -> Answer + Send + 'static,
) -> Result<(String, Compute), serde_json::Error> {
    let (uri, params) = read::<P>(params)?;
    Ok((uri, Box::new(move |document| answer(document, params))))
}

fn now<P: DeserializeOwned + Send + 'static>(
    params: Value,
    answer: impl FnOnce(&Document, P) -> Answer + Send + 'static,
) -> Result<(String, Work), serde_json::Error> {
    prepared(params, answer).map(|(uri, compute)| (uri, Work::Now(compute)))
}

fn later<P: DeserializeOwned + Send + 'static>(
    params: Value,
    answer: impl FnOnce(&Document, P) -> Answer + Send + 'static,
) -> Result<(String, Work), serde_json::Error> {
    prepared(params, answer).map(|(uri, compute)| (uri, Work::Later(compute)))
}

/// Completes an action. The document is in the data that the server sent with it.
fn resolve(params: Value, client: Client) -> Result<(String, Work), serde_json::Error> {
    let action: CodeAction = serde_json::from_value(params)?;
    let data = action.data.as_ref().and_then(|data| data.get("uri"));
    let uri = data.and_then(Value::as_str).unwrap_or_default().to_owned();
    let compute = move |document: &Document| actions::resolved(document, action, &client).map(value);
    Ok((uri, Work::Later(Box::new(compute))))
}
