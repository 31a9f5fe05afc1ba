// What the page as files has of its own: it answers as the server does, and nothing leaves it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as http from "node:http";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";

import { answers, files, home, intercept, launch, open, paste, sees, serve, withPage } from "./harness.mjs";

/** The most that the page may weigh, compressed. */
const MAX_BYTES = 650_000;
const PARTS = ["index.html", "page.css", "page.js"];

let browser;
let page;

before(async () => {
    assert.ok(files, "PAGE_FILES names the folder of the page");
    [browser, page] = await Promise.all([launch(), home()]);
});

after(() => browser?.close());

function onPage(name, run, options = {}) {
    test(name, { timeout: 60_000 }, () => withPage(browser, page.address, options, run));
}

test("the page with its module weighs at most 650 KB", async () => {
    const contents = await Promise.all(PARTS.map((name) => readFile(path.join(files, name))));
    const sizes = contents.map((bytes) => gzipSync(bytes, { level: 9, memLevel: 9 }).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`weight: ${total} bytes compressed (${sizes.join(" + ")})`);
    assert.ok(total <= MAX_BYTES, `${total} bytes`);
});

const SHOP = "User-agent: *\nDisallow: /cart\nAllow: /cart/help\nDissallow: /x\nSitemap: https://shop.example/s.xml\n\nUser-agent: GPTBot\nDisallow: /\n";
const LATIN1 = Buffer.from("User-agent: *\nDisallow: /b\xfcro\n", "latin1").toString("base64");
const robots = { text: SHOP };
const urls = ["/cart", "https://shop.example/cart/help#top", "/b%FCro", "no url", "/"];
const REQUESTS = [
    ["/v1/about"],
    ["/v1/agents"],
    ["/v1/lint/dead-rule"],
    ["/v1/lint/none-such"],
    ["/v1/check", { robots, agents: ["Googlebot", "purpose:ai-training", "*"], urls }],
    ["/v1/check", { robots: { base64: LATIN1 }, agents: ["FooBot"], urls }],
    ["/v1/check", { robots: { ...robots, site: "https://shop.example/a" }, agents: ["FooBot"], urls: ["https://other.example/", "/x"] }],
    ["/v1/check", { robots, dialect: "yandex", agents: ["Yandex"], urls, as_written: true }],
    ["/v1/explain", { robots, agent: "Googlebot-Image", url: "/cart/help" }],
    ["/v1/explain", { robots, agent: "Googlebot", url: "mailto:me@shop.example" }],
    ["/v1/lint", { robots, dialect: "rfc9309" }],
    ["/v1/diff", { old: robots, new: { text: "User-agent: *\nDisallow: /\n" }, urls: ["/cart", "/"] }],
    ["/v1/diff", { old: robots, new: robots, dialects: ["google", "yandex"] }],
    ["/v1/matrix", { robots, agents: ["Googlebot", "purpose:search"], urls }],
    ["/v1/format", { robots }],
    ["/v1/format", { robots, minify: true }],
    ["/v1/automaton", { robots, agent: "Googlebot", url: "/cart/x" }],
    ["/v1/set", { robots, policy: { deny: ["ai-training", "operator:Google"], allow: ["GPTBot"], content_signal: "ai-train=no" } }],
    ["/v1/set", { robots: { base64: LATIN1 }, policy: { disallow: ["/x"] } }],
    // Mistakes.
    ["/v1/check", { robots, agents: ["Foo Bot"], urls }],
    ["/v1/check", { robots, agents: [], urls }],
    ["/v1/check", { robots, agents: ["FooBot"], urls: [] }],
    ["/v1/check", { robots: { text: "<html>" }, agents: ["FooBot"], urls }],
    ["/v1/check", { robots: { text: "a", base64: "b" }, agents: ["FooBot"], urls }],
    ["/v1/check", { robots: { base64: "%" }, agents: ["FooBot"], urls }],
    ["/v1/check", { robots, agents: ["FooBot"], urls: ["/".repeat(70_000)] }],
    ["/v1/check", { robots, agents: ["FooBot"], urls: Array(10_001).fill("/") }],
    ["/v1/check", { robots, agents: "FooBot", urls }],
    ["/v1/lint", { robots, dialect: "none" }],
    ["/v1/lint", { robots, more: 1 }],
    ["/v1/lint", []],
    ["/v1/diff", { old: robots, new: robots, dialects: ["google", "google", "google"] }],
    ["/v1/set", { robots }],
    ["/v1/set", { robots, policy: { deny: ["GPTBot"], allow: ["GPTBot"] } }],
    ["/v1/set", { robots: { text: "User-agent: *\nAllow: /a/b\n" }, policy: { disallow: ["/a"] } }],
    ["/v1/explain", { robots, agent: "purpose:search", url: "/" }],
];

onPage("the module answers each request with the bytes that the server does", async (page) => {
    const server = await serve();
    try {
        for (const [path, body] of REQUESTS) {
            const text = body === undefined ? undefined : JSON.stringify(body);
            const init = text === undefined ? {} : { method: "POST", body: text, headers: { "Content-Type": "application/json" } };
            const response = await fetch(server.address + path, init);
            const expected = { status: response.status, text: await response.text() };
            const told = await page.evaluate(
                ([path, body]) =>
                    new Promise((resolve) => {
                        const [worker] = window.workers;
                        const number = -1 - window.asked.length;
                        worker.addEventListener("message", ({ data }) => data.number === number && resolve({ status: data.status, text: data.text }));
                        worker.postMessage({ number, path, body });
                    }),
                [path, text],
            );
            assert.deepEqual(told, expected, `${path} ${text?.slice(0, 200)}`);
        }
    } finally {
        server.stop();
    }
});

onPage("what cannot be done without a server is not offered, and the page says why", async (page) => {
    await answers(page, "Googlebot may not fetch /cart line 3");
    await sees(page, "this page fetches no site and opens no pack");
    assert.equal(await page.getByLabel("From a site").count(), 0);
    assert.equal(await page.getByRole("button", { name: "Pack", exact: true }).count(), 0);
});

onPage("the policy lets nothing out", async (page) => {
    await answers(page, "Googlebot may not fetch /cart line 3");
    const out = await page.evaluate(async () => {
        const tried = {};
        tried.fetch = await fetch("https://other.example/").then(() => "sent", () => "refused");
        tried.beacon = await new Promise((resolve) => {
            document.addEventListener("securitypolicyviolation", ({ violatedDirective }) => resolve(violatedDirective), { once: true });
            navigator.sendBeacon("https://other.example/", "x");
        });
        tried.image = await new Promise((resolve) => {
            const image = new Image();
            image.onload = () => resolve("loaded");
            image.onerror = () => resolve("refused");
            image.src = "https://other.example/x.png";
        });
        tried.code = await new Promise((resolve) => {
            document.addEventListener("securitypolicyviolation", ({ violatedDirective }) => resolve(violatedDirective), { once: true });
            const script = document.createElement("script");
            script.textContent = "window.broken = 1";
            document.body.append(script);
        });
        return { ...tried, broken: window.broken };
    });
    assert.deepEqual(out, { fetch: "refused", beacon: "connect-src", image: "refused", code: "script-src-elem", broken: undefined });
}, { blocked: /policy|Policy|other\.example/ });

onPage("a module that stops is said, and the next question is answered by another", async (page) => {
    await answers(page, "Googlebot may not fetch /cart line 3");
    let left = 1;
    await intercept(page, "check", () => (left-- > 0 ? { status: 0, json: "it stopped" } : {}));
    await page.getByLabel("URLs or paths").fill("/first");
    await sees(page, "This browser could not answer");
    await page.getByLabel("URLs or paths").fill("/second");
    await answers(page, "Googlebot may fetch /second");
});

test("a host of files serves it, and the first answer comes soon after the page has loaded", { timeout: 60_000 }, async () => {
    const types = { html: "text/html", css: "text/css", js: "text/javascript" };
    const host = http.createServer(async (request, response) => {
        const name = request.url === "/tools/robots/" ? "index.html" : path.basename(request.url);
        const bytes = PARTS.includes(name) ? await readFile(path.join(files, name)) : null;
        response.writeHead(bytes === null ? 404 : 200, { "Content-Type": types[name.split(".").at(-1)] ?? "text/plain" });
        response.end(bytes);
    });
    await new Promise((resolve) => host.listen(0, "127.0.0.1", resolve));
    try {
        await withPage(browser, `http://127.0.0.1:${host.address().port}`, { path: "/tools/robots/" }, async (page) => {
            await answers(page, "Googlebot may not fetch /cart line 3");
            const [loaded, answered] = await page.evaluate(() => [
                performance.getEntriesByType("navigation")[0].loadEventEnd,
                window.firstAnswer,
            ]);
            console.log(`the page loaded after ${Math.round(loaded)} ms, and answered ${Math.round(answered - loaded)} ms later`);
            await paste(page, "User-agent: *\nDisallow: /\n");
            await answers(page, "Googlebot may not fetch / line 2");
            await open(page, "Automaton");
            await page.locator(".picture svg").waitFor();
        });
    } finally {
        host.close();
    }
});
