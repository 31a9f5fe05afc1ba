// What the browser tests share: the server, the browser, and a page that fails its test if it breaks a rule of the page:
// an error in a script, something that the policy blocked, or a request to another place.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/** The command under test. */
export const robotsc = process.env.ROBOTSC ?? "../../../target/debug/robotsc";

/** The folder of the page as files; undefined if the page of a server is tested. */
export const files = process.env.PAGE_FILES && resolve(process.env.PAGE_FILES);

const chromiumPath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);

/** Returns the page under test: its address, and a function that ends it. */
export async function home() {
    return files === undefined ? serve() : { address: String(pathToFileURL(files)), stop: () => {} };
}

/** Starts a server on a free port. Returns its address and a function that stops it. */
export async function serve(...args) {
    const server = spawn(robotsc, ["serve", "--listen", "127.0.0.1:0", ...args], { stdio: ["ignore", "pipe", "pipe"] });
    const said = [];
    const address = await new Promise((resolve, reject) => {
        const read = (chunk) => {
            said.push(chunk);
            const found = /http:\/\/[\w.:[\]]+/.exec(said.join(""));
            if (found !== null) {
                resolve(found[0]);
            }
        };
        server.stdout.on("data", read);
        server.stderr.on("data", read);
        server.once("error", reject);
        server.once("exit", (code) => reject(new Error(`robotsc serve ended with ${code}: ${said.join("")}`)));
    });
    return { address, stop: () => server.kill("SIGTERM") };
}

/** Starts the browser, with a profile of its own. */
export function launch() {
    return chromium.launch({
        executablePath: chromiumPath,
        headless: true,
        args: [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ],
    });
}

/**
 * Opens the page in a fresh profile, runs a test on it, and checks that the page kept its rules. `options.blocked` is
 * what the policy may block and the browser may report, since the test sends it.
 */
export async function withPage(browser, address, options, test) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options.context });
    const broken = [];
    const page = await context.newPage();
    await page.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", (event) => {
            console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
        });
    });
    if (files !== undefined) {
        await page.addInitScript(watched);
    }
    page.on("pageerror", (error) => broken.push(`error: ${error.message}`));
    page.on("console", (message) => {
        // A request that the server refuses with a reason is logged by the browser, and shown by the page.
        const isExpected = /status of 4\d\d/.test(message.text()) || options.blocked?.test(message.text());
        if (message.type() === "error" && !isExpected) {
            broken.push(message.text());
        }
    });
    page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(`${address}/`) && !/^(data|blob):/.test(url) && !options.blocked?.test(url)) {
            broken.push(`request to ${url}`);
        }
    });
    try {
        await page.goto(addressOf(address, options.path));
        await page.waitForSelector("html[data-ready]");
        await test(page, context);
        assert.deepEqual(broken, [], "the page keeps its rules");
    } catch (error) {
        if (process.env.PICTURES !== undefined) {
            await page.screenshot({ path: `${process.env.PICTURES}/failed.png` }).catch(() => {});
        }
        if (broken.length > 0 && error instanceof Error) {
            error.message += `\n${broken.join("\n")}`;
        }
        throw error;
    } finally {
        await context.close();
    }
}

/** Returns the address of the page, with a fragment that `path` may have. */
export function addressOf(address, path = "/") {
    return address.startsWith("file:") ? address + path.replace(/^\//, "/index.html") : address + path;
}

/** Runs in the page as files: lets tests see what the page asks its worker, answer in its place, and know when the first answer is seen. */
function watched() {
    const asked = (window.asked = []);
    const workers = (window.workers = []);
    new MutationObserver((_, observer) => {
        if (document.querySelector(".answers tbody tr") !== null) {
            window.firstAnswer = performance.now();
            observer.disconnect();
        }
    }).observe(document, { subtree: true, childList: true });
    window.Worker = class extends Worker {
        constructor(address) {
            super(address);
            workers.unshift(this);
        }

        async postMessage(question) {
            asked.push(question);
            const { number, path, body } = question;
            const instead = (await window.answerInstead?.(path, body ?? null)) ?? {};
            if (instead.json !== undefined) {
                const data = { number, status: instead.status ?? 200, text: JSON.stringify(instead.json) };
                this.dispatchEvent(new MessageEvent("message", { data }));
                return;
            }
            setTimeout(() => super.postMessage(question), instead.delay ?? 0);
        }
    };
}

/**
 * Answers requests of a path in the place of what answers the page. `answer` gets what is asked, and returns `json` with
 * a `status`, or a `delay` in milliseconds after which the page gets its answer.
 */
export async function intercept(page, route, answer) {
    if (files !== undefined) {
        await page.exposeFunction("answerInstead", (path, body) => (path === `/v1/${route}` ? answer(JSON.parse(body)) : {}));
        return;
    }
    await page.route(`**/v1/${route}`, async (request) => {
        const { status = 200, json, delay = 0 } = answer(request.request().postDataJSON());
        if (json !== undefined) {
            await request.fulfill({ status, json });
            return;
        }
        const response = await request.fetch();
        await new Promise((resolve) => setTimeout(resolve, delay));
        // The page may have ended the request meanwhile.
        await request.fulfill({ response }).catch(() => {});
    });
}

/** Waits until the page asks a path while `act` runs. Returns what it asks. */
export async function asked(page, route, act) {
    if (files === undefined) {
        const [request] = await Promise.all([page.waitForRequest(`**/v1/${route}`), act()]);
        return request.postDataJSON();
    }
    const before = await page.evaluate(() => window.asked.length);
    await act();
    const find = ([before, path]) => window.asked.slice(before).find((question) => question.path === path)?.body;
    const body = await page.waitForFunction(find, [before, `/v1/${route}`]);
    return JSON.parse(await body.jsonValue());
}

/** Shows a view. */
export async function open(page, view) {
    await page.getByRole("navigation").getByRole("button", { name: view, exact: true }).click();
}

/** Replaces the text of the editor, as one who selects all and pastes. */
export async function paste(page, text, label = "robots.txt") {
    const editor = page.getByLabel(label, { exact: true });
    await editor.click();
    await page.keyboard.press("Control+a");
    await editor.evaluate((element, text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, text);
}

/** Drops a file on an element. What it holds is a text, or an array of bytes. */
export async function drop(page, selector, name, contents) {
    const data = await page.evaluateHandle(
        ([name, contents]) => {
            const data = new DataTransfer();
            const part = Array.isArray(contents) ? Uint8Array.from(contents) : contents;
            data.items.add(new File([part], name, { type: "text/plain" }));
            return data;
        },
        [name, contents],
    );
    await page.dispatchEvent(selector, "dragover", { dataTransfer: data });
    await page.dispatchEvent(selector, "drop", { dataTransfer: data });
}

/** Waits until a text is seen. */
export async function sees(page, text, within = "body") {
    await page.locator(within).getByText(text).filter({ visible: true }).first().waitFor({ timeout: 20_000 });
}

/** Returns the sentence of each row of the table: its cells, one after the other. */
export async function rows(page, table = ".answers") {
    const cells = await page.locator(`${table} tbody tr:not(.details)`).evaluateAll((rows) =>
        rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim()).join(" ")),
    );
    return cells;
}

/** Waits until the table of answers has a row with this text. */
export async function answers(page, text) {
    await page.waitForFunction(
        (text) =>
            [...document.querySelectorAll(".answers tbody tr:not(.details)")].some((row) =>
                [...row.cells].map((cell) => cell.textContent.trim()).join(" ").includes(text),
            ),
        text,
        { timeout: 20_000 },
    );
}
