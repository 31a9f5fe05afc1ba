// The app as a Worker of Cloudflare.
import { RobotsCache } from "robotsc/cache";
import { answers } from "./app.mjs";

let at = 1_790_000_000_000;
/** One for all requests: what one of them begins, another may wait for. */
const cache = new RobotsCache("FooBot", { userAgent: "FooBot/1.0", timeout: 1_000, now: () => at });

export default {
  async fetch(request) {
    const asked = new URL(request.url).searchParams;
    const site = asked.get("site");
    if (!asked.has("later")) return Response.json(await answers(site));
    at += Number(asked.get("later")) * 1000;
    return Response.json(await cache.isAllowed(`${site}/`));
  },
};
