// Takes pictures of the page: `ROBOTSC=… npm run pictures -- FOLDER` writes each view in light, dark and phone width;
// without a folder, those that the docs show.
import { writeFileSync } from "node:fs";
import { answers, launch, open, paste, serve, withPage } from "./harness.mjs";

const docs = new URL("../../../../docs/pictures/", import.meta.url).pathname;
const [folder] = process.argv.slice(2);

const contexts = {
    light: { viewport: { width: 1240, height: 800 }, colorScheme: "light" },
    dark: { viewport: { width: 1240, height: 800 }, colorScheme: "dark" },
    phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

const views = {
    async test(page) {
        await page.getByLabel("URLs or paths").fill("/cart/help\n/cart\n/blog/");
        await answers(page, "bingbot may not fetch /cart line 3");
        await page.getByRole("button", { name: "line 4: Allow: /cart/help" }).first().click();
        await page.locator(".details .sentence").waitFor();
        await page.evaluate(() => scrollTo(0, 0));
    },
    async compare(page) {
        await open(page, "Compare");
        await page.locator(".changes li").first().waitFor();
    },
    async agents(page) {
        await open(page, "Agents");
        await page.getByLabel("Search", { exact: true }).uncheck();
        await page.locator(".matrix").waitFor();
    },
    async policy(page) {
        await open(page, "Policy");
        await page.getByLabel("Paths that are for nobody").fill("/members/");
        await page.locator(".proved", { hasText: "/members/" }).waitFor();
    },
    async automaton(page) {
        await open(page, "Automaton");
        await page.locator(".picture svg").waitFor();
    },
    async hostile(page) {
        await paste(page, "User-agent: <script>alert(1)</script>\nDisallow: /<img src=x onerror=alert(1)>\n\nUser-agent: *\nDisallow: /\u0000\u001b[31m\u202ex\n");
        await page.locator(".findings li").first().waitFor({ state: "attached" });
    },
};

if (folder === undefined) {
    // Small enough for a page of docs.
    contexts.light.viewport = { width: 1120, height: 640 };
    contexts.dark.viewport = contexts.light.viewport;
}
const wanted = folder === undefined ? ["test light", "compare dark", "agents light"] : Object.keys(views).flatMap((view) => Object.keys(contexts).map((context) => `${view} ${context}`));
const server = await serve();
const browser = await launch();
try {
    for (const picture of wanted) {
        const [view, look] = picture.split(" ");
        await withPage(browser, server.address, { context: contexts[look] }, async (page) => {
            await views[view](page);
            // The pause lets the last answers arrive and the pointer's marks fade.
            await page.waitForTimeout(400);
            const name = folder === undefined ? `${docs}page-${view}.png` : `${folder}/${view}-${look}.png`;
            writeFileSync(name, await page.screenshot({ fullPage: look === "phone" }));
        });
    }
} finally {
    await browser.close();
    server.stop();
}
