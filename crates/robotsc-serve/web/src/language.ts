// Colours of a robots.txt. This reads one line at a time and only for the eye: what a line means, the server says.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";

/** The kind of a key. */
const KEYS: Record<string, string> = {
    "user-agent": "heading",
    allow: "keyword",
    disallow: "keyword",
    sitemap: "propertyName",
    "crawl-delay": "propertyName",
    "clean-param": "propertyName",
    "content-signal": "propertyName",
    "content-usage": "propertyName",
    host: "propertyName",
};

interface Line {
    /** Whether the value is being read, after the colon. */
    isValue: boolean;
    key: string;
}

const language = StreamLanguage.define<Line>({
    name: "robots.txt",
    startState: () => ({ isValue: false, key: "" }),
    token(stream, line) {
        if (stream.sol()) {
            line.isValue = false;
            line.key = "";
        }
        if (stream.eatSpace()) {
            return null;
        }
        if (stream.peek() === "#") {
            stream.skipToEnd();
            return "comment";
        }
        if (!line.isValue) {
            if (stream.eat(":")) {
                line.isValue = true;
                return "punctuation";
            }
            stream.eatWhile(/[^:#\s]/);
            line.key = stream.current().toLowerCase();
            return KEYS[line.key] ?? null;
        }
        if (stream.eat("*")) {
            return "operator";
        }
        if (stream.eat("$")) {
            return stream.eol() ? "operator" : "string";
        }
        stream.eatWhile(/[^#*$\s]/);
        return line.key === "user-agent" ? "heading" : "string";
    },
    languageData: { commentTokens: { line: "#" } },
});

const style = HighlightStyle.define([
    { tag: tags.heading, class: "tok-agent" },
    { tag: tags.keyword, class: "tok-rule" },
    { tag: tags.propertyName, class: "tok-record" },
    { tag: tags.string, class: "tok-value" },
    { tag: tags.operator, class: "tok-star" },
    { tag: tags.comment, class: "tok-comment" },
    { tag: tags.punctuation, class: "tok-punctuation" },
]);

/** Colours keys, values, wildcards and comments. */
export const robotsLanguage: Extension = [language, syntaxHighlighting(style)];
