// The page: one file on the left, one view of it on the right, and the state of both in the address.

import { ApiError, answerWith, call, debounced, sentenceOf, useToken, type About, type Agent, type Answers } from "./api.ts";
import { byId, el, fill } from "./dom.ts";
import { FilePane } from "./file-pane.ts";
import { decode, encode } from "./link.ts";
import { problem } from "./problem.ts";
import { forLink } from "./source.ts";
import { START, VIEWS, current, fromLink, onChange, update, type State, type View as ViewName } from "./state.ts";
import { themeSwitch } from "./theme.ts";
import { AgentsView } from "./views/agents.ts";
import { AutomatonView } from "./views/automaton.ts";
import { CompareView } from "./views/compare.ts";
import { PackView } from "./views/pack.ts";
import { PolicyView } from "./views/policy.ts";
import { TestView } from "./views/test.ts";
import type { Page, View } from "./views/view.ts";

const TITLES: Record<ViewName, string> = {
    test: "Test",
    compare: "Compare",
    agents: "Agents",
    policy: "Policy",
    automaton: "Automaton",
    pack: "Pack",
};

/** The longest fragment that the address is kept at while one types. A link can be longer: browsers keep any state. */
const MAX_KEPT_FRAGMENT = 16_000;

async function open(): Promise<void> {
    themeSwitch(byId<HTMLButtonElement>("theme"));
    const about = await ask<About>("/v1/about");
    const { agents: register } = await ask<{ agents: Agent[] }>("/v1/agents");
    await readAddress(about);
    build(about, register);
}

/** Asks, and asks the visitor for a token if the server wants one. */
async function ask<T>(path: string): Promise<T> {
    for (let tries = 0; ; tries += 1) {
        try {
            return await call<T>(path);
        } catch (error) {
            if (!(error instanceof ApiError && error.status === 401)) {
                throw error;
            }
            useToken(await askForToken(tries > 0));
        }
    }
}

function askForToken(isAgain: boolean): Promise<string> {
    return new Promise((resolve) => {
        const input = el("input", { id: "token", type: "password", autocomplete: "off", required: true });
        const form = el(
            "form",
            {
                class: "token",
                onsubmit: (event: Event) => {
                    event.preventDefault();
                    fill(byId("main"), el("p", {}, "Loading…"));
                    resolve(input.value);
                },
            },
            isAgain && el("p", { class: "problem", role: "alert" }, "The server does not accept this token."),
            el("label", { for: "token" }, "This server asks for a token. It was given with 'robotsc serve --token'."),
            input,
            el("button", { type: "submit" }, "Continue"),
        );
        fill(byId("main"), form);
        input.focus();
    });
}

function build(about: About, register: Agent[]): void {
    const views = new Map<ViewName, View>();
    const file = new FilePane(about, (line) => views.get(current().view)?.lineChanged?.(line));
    const page: Page = { editor: file.editor, about, register };
    const makers: Record<ViewName, () => View> = {
        test: () => new TestView(page),
        compare: () => new CompareView(page),
        agents: () => new AgentsView(page),
        policy: () => new PolicyView(page),
        automaton: () => new AutomatonView(page),
        pack: () => new PackView(page),
    };
    const place = el("div", { class: "place" });
    const names = VIEWS.filter((name) => name !== "pack" || about.pack);
    const tabs = new Map(
        names.map((name) => [
            name,
            el("button", { type: "button", onclick: () => update({ view: name }) }, TITLES[name]),
        ]),
    );
    fill(byId("views"), ...tabs.values());
    fill(byId("main"), file.element, place);

    const show = (changed: ReadonlySet<keyof State> | "all") => {
        const { view: name, compare } = current();
        if (!tabs.has(name)) {
            update({ view: START.view });
            return;
        }
        let view = views.get(name);
        const isNew = changed === "all" || changed.has("view");
        if (view === undefined) {
            view = makers[name]();
            views.set(name, view);
        }
        file.refresh(changed);
        if (isNew) {
            file.editor.light([]);
            file.editor.mark(new Map());
            fill(place, view.element);
            for (const [other, tab] of tabs) {
                tab.setAttribute("aria-current", other === name ? "page" : "false");
            }
            document.title = `${TITLES[name]}: robotsc`;
        }
        // Compare shows two files of its own; a pack has none of the editor's.
        file.element.hidden = name === "pack" || (name === "compare" && compare === "versions");
        byId("main").dataset["view"] = name;
        view.refresh(isNew ? "all" : changed);
    };

    let isGoingBack = false;
    const keep = debounced(() => {
        if (!isGoingBack) {
            void keepAddress();
        }
    }, 400);
    let before = current();
    onChange((changed) => {
        const left = before;
        before = current();
        if (isGoingBack) {
            return;
        }
        say("");
        if (changed.has("view")) {
            // The entry that is left keeps what was typed last, which `keep` has perhaps not saved yet.
            remember(left, location.href);
            history.pushState(null, "", location.href);
            remember(current(), location.href);
        }
        show(changed);
        keep();
    });
    // Back, forward, or another link in the same tab.
    addEventListener("popstate", () => {
        isGoingBack = true;
        void readAddress(about).finally(() => {
            isGoingBack = false;
            show("all");
            if (history.state !== null) {
                keep();
            }
        });
    });
    byId("link").addEventListener("click", () => void copyLink(say));
    // An entry of its own would be read as a link.
    byId("skip").addEventListener("click", (event) => {
        event.preventDefault();
        byId("main").focus();
    });
    show("all");
    document.documentElement.dataset["ready"] = "true";
}

/** Shows a sentence under the head of the page, or nothing if it is empty. */
function say(sentence: string, isProblem = false): void {
    const live = byId("live");
    fill(live, sentence);
    live.classList.toggle("problem", isProblem);
}

/** Takes the state from the entry of the history: what `remember` kept, else the fragment, else the start. */
async function readAddress(about: About): Promise<void> {
    const fragment = location.hash.slice(1);
    say("");
    try {
        const kept: unknown = history.state ?? (fragment === "" ? START : await decode(fragment));
        const read = fromLink(kept, about.dialects.map(({ name }) => name));
        // A link says nothing of a fetch.
        update(history.state === null ? { ...read, unread: "" } : read);
    } catch (error) {
        update({ ...START });
        say(`The link cannot be opened: ${sentenceOf(error)}. You see the example.`, true);
    }
}

/** Keeps the state in the address, so that reloading the page loses nothing and the address can be copied. */
async function keepAddress(): Promise<void> {
    const state = current();
    const fragment = `#${await encode(forLink(state))}`;
    // What changed meanwhile is kept by the next call, perhaps in another entry.
    if (state === current()) {
        // An address that is too short for the state holds none: else it would open another file.
        const isKept = fragment.length <= MAX_KEPT_FRAGMENT || fragment === location.hash;
        remember(state, isKept ? fragment : location.pathname);
    }
}

/** Keeps a state in the entry of the history, under an address. */
function remember(state: Readonly<State>, address: string): void {
    try {
        history.replaceState(state, "", address);
    } catch {
        // Browsers may limit the size of what an entry holds.
        history.replaceState(null, "", address);
    }
}

async function copyLink(say: (sentence: string) => void): Promise<void> {
    const state = current();
    const fragment = await encode(forLink(state));
    const link = `${location.href.replace(/#.*/, "")}#${fragment}`;
    remember(state, `#${fragment}`);
    const size = link.length > 8000 ? ` It has ${link.length.toLocaleString("en")} characters: some programs cut long links.` : "";
    try {
        await navigator.clipboard.writeText(link);
        say(`The link is copied. It holds the file and your questions, in a part that browsers send to no server.${size}`);
    } catch {
        say(`The link is in the address bar: copy it from there.${size}`);
    }
}

/** Starts the page. */
export function start(answers: Answers): void {
    answerWith(answers);
    open().catch((error: unknown) => {
        fill(
            byId("main"),
            problem(error),
            el("p", {}, el("button", { type: "button", onclick: () => location.reload() }, "Try again")),
        );
    });
}
