//! What the editor can do, and what the server offers it.

use gen_lsp_types::{
    CodeActionKind, CodeActionOptions, CompletionOptions, DiagnosticOptions, Full, InitializeResult, RenameOptions,
    SaveOptions, SemanticTokensOptions, ServerCapabilities, ServerInfo, TextDocumentSyncKind, TextDocumentSyncOptions,
};
use serde_json::Value;

use crate::positions::Encoding;
use crate::tokens;

/// What the editor can do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Client {
    pub(crate) encoding: Encoding,
    /// It asks for diagnostics, and can be told to ask again when a configuration changes. The server then sends none
    /// on its own.
    pub(crate) pulls_diagnostics: bool,
    pub(crate) shows_related: bool,
    /// It can be asked for its settings.
    pub(crate) has_configuration: bool,
    /// It can report changes of files.
    pub(crate) watches_files: bool,
    /// It knows edits of one version of a document.
    pub(crate) knows_versions: bool,
    /// It asks for the edit of an action when the action is chosen.
    pub(crate) resolves_edits: bool,
    /// It shows Markdown in a hover.
    pub(crate) shows_markdown: bool,
    /// It shows Markdown beside what it offers to complete.
    pub(crate) documents_markdown: bool,
    pub(crate) shows_trees: bool,
    prepares_renames: bool,
}

impl Client {
    /// Reads the capabilities of an editor. What is not of the form of the protocol is not there.
    pub(crate) fn new(capabilities: &Value) -> Self {
        let at = |path: &str| capabilities.pointer(path);
        let is = |path: &str| at(path) == Some(&Value::Bool(true));
        let has = |path: &str, wanted: &str| {
            at(path).and_then(Value::as_array).is_some_and(|list| list.iter().any(|item| item == wanted))
        };
        let is_utf8 = has("/general/positionEncodings", "utf-8");
        Self {
            encoding: if is_utf8 { Encoding::Utf8 } else { Encoding::Utf16 },
            pulls_diagnostics: at("/textDocument/diagnostic").is_some_and(Value::is_object)
                && is("/workspace/diagnostics/refreshSupport"),
            shows_related: is("/textDocument/publishDiagnostics/relatedInformation")
                || is("/textDocument/diagnostic/relatedInformation"),
            has_configuration: is("/workspace/configuration"),
            watches_files: is("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            knows_versions: is("/workspace/workspaceEdit/documentChanges"),
            resolves_edits: has("/textDocument/codeAction/resolveSupport/properties", "edit"),
            shows_markdown: has("/textDocument/hover/contentFormat", "markdown"),
            documents_markdown: has("/textDocument/completion/completionItem/documentationFormat", "markdown"),
            shows_trees: is("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            prepares_renames: is("/textDocument/rename/prepareSupport"),
        }
    }

    /// Returns what the server offers this editor.
    pub(crate) fn offered(&self) -> InitializeResult {
        let sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::Incremental),
            save: Some(SaveOptions { include_text: Some(false) }.into()),
            ..Default::default()
        };
        let rename = RenameOptions { prepare_provider: Some(true), ..Default::default() };
        let actions = CodeActionOptions {
            code_action_kinds: Some(vec![
                CodeActionKind::QuickFix,
                CodeActionKind::SourceFixAll,
                CodeActionKind::RefactorRewrite,
            ]),
            resolve_provider: Some(self.resolves_edits),
            ..Default::default()
        };
        let completion = CompletionOptions {
            trigger_characters: Some([":", " ", "/", "=", ","].map(str::to_owned).to_vec()),
            ..Default::default()
        };
        let tokens =
            SemanticTokensOptions { legend: tokens::legend(), full: Some(Full::Bool(true)), ..Default::default() };
        let diagnostics = DiagnosticOptions { identifier: Some("robotsc".to_owned()), ..Default::default() };
        let capabilities = ServerCapabilities {
            position_encoding: Some(self.encoding.kind()),
            text_document_sync: Some(sync.into()),
            hover_provider: Some(true.into()),
            completion_provider: Some(completion),
            code_action_provider: Some(actions.into()),
            document_formatting_provider: Some(true.into()),
            rename_provider: Some(if self.prepares_renames { rename.into() } else { true.into() }),
            document_symbol_provider: Some(true.into()),
            folding_range_provider: Some(true.into()),
            semantic_tokens_provider: Some(tokens.into()),
            diagnostic_provider: self.pulls_diagnostics.then(|| diagnostics.into()),
            ..Default::default()
        };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let server_info = Some(ServerInfo { name: "robotsc".to_owned(), version: Some(version) });
        InitializeResult { capabilities, server_info }
    }
}
