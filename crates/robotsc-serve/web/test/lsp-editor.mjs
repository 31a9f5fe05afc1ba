// A CodeMirror editor with a language server: the page that `lsp.test.mjs` opens. The test provides `toServer`, which
// sends a message to the server, and calls `fromServer` with each message of the server.
import { LSPClient, formatDocument, languageServerExtensions } from "@codemirror/lsp-client";
import { EditorView } from "@codemirror/view";

const handlers = new Set();
window.fromServer = (message) => handlers.forEach((handler) => handler(message));
const client = new LSPClient({ extensions: languageServerExtensions() }).connect({
    send: (message) => void window.toServer(message),
    subscribe: (handler) => void handlers.add(handler),
    unsubscribe: (handler) => void handlers.delete(handler),
});
const uri = "file:///shop/robots.txt";

window.openEditor = async (text) => {
    await client.initializing;
    const view = new EditorView({
        doc: text,
        parent: document.body,
        extensions: [client.plugin(uri, "robotstxt")],
    });
    return {
        text: () => view.state.doc.toString(),
        format: () => formatDocument(view),
        /** Asks for what this client does not show: semantic tokens and folding. */
        ask: (method) => {
            client.sync();
            return client.request(method, { textDocument: { uri } });
        },
        legend: () => client.serverCapabilities.semanticTokensProvider.legend.tokenTypes,
    };
};
