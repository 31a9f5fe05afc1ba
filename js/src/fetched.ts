/** How a fetch of a robots.txt ended, as the module numbers it. */
const STATUS = 0;
const BROKEN = 1;
const LOOP = 2;
const LOST = 3;
const DNS = 4;
const CONNECT = 5;
const TLS = 6;
const TIMEOUT = 7;
const RESET = 8;
const PROTOCOL = 9;
const REFUSED = 10;

/** What a crawler does with each redirect is for the dialect to say, up to this number of them. */
const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
/** The bytes after which no crawler reads on: what is behind them counts for nobody. */
const ENOUGH = 512_000;

/** How a fetch ended. */
export interface Ended {
  end: number;
  status: number;
  redirects: number;
  headers: [string, string][];
  body: Uint8Array;
  /** The URL that answered. */
  answered: string;
}

/** What a request asks with if a copy is held: it is sent to the URL that answered with it, and to no other. */
export interface Conditions {
  url: string;
  etag: string;
  modified: string;
}

export interface FetchOptions {
  fetch: typeof fetch;
  userAgent: string;
  /** In milliseconds. */
  timeout: number;
  conditions: Conditions;
}

function without(end: number, redirects: number, answered: string, status = 0): Ended {
  return { end, status, redirects, headers: [], body: new Uint8Array(), answered };
}

/** Fetches a robots.txt. Whatever happens is a way to end: nothing is thrown. */
export async function fetchRobots(robotsUrl: string, options: FetchOptions): Promise<Ended> {
  const { fetch: ask, userAgent, timeout } = options;
  const apart = keptApart();
  const signal = AbortSignal.timeout(timeout);
  const visited = new Set<string>();
  let url = robotsUrl;
  for (let redirects = 0; ; redirects++) {
    visited.add(url);
    const { etag, modified } = options.conditions.url === url ? options.conditions : { etag: "", modified: "" };
    const headers: Record<string, string> = { "User-Agent": userAgent, Accept: "text/plain, */*;q=0.5" };
    if (etag !== "") headers["If-None-Match"] = etag;
    if (modified !== "") headers["If-Modified-Since"] = modified;
    let response: Response;
    try {
      // Each redirect is judged here: a client that follows them does not say how many there were.
      response = await ask(url, { headers, signal, redirect: "manual", ...apart });
    } catch (error) {
      return without(kindOf(error), redirects, url);
    }
    const { status } = response;
    // A browser hides what a redirect is.
    if (status < 100 || status > 599 || response.redirected) return without(PROTOCOL, redirects, url);
    if (status === 304 && etag === "" && modified === "") return without(PROTOCOL, redirects, url);
    if (!REDIRECTS.includes(status)) return await finished(response, redirects, url);
    await response.body?.cancel().catch(() => {});
    const sent = [...response.headers];
    if (redirects >= MAX_REDIRECTS) return { ...without(STATUS, redirects, url, status), headers: sent };
    const location = response.headers.get("location");
    if (location === null) return { ...without(LOST, redirects, url), headers: sent };
    const next = target(location, url);
    if (next === undefined) return without(PROTOCOL, redirects, url);
    if (next.protocol !== "http:" && next.protocol !== "https:") return without(REFUSED, redirects, url);
    if (visited.has(next.href)) return without(LOOP, redirects, url);
    url = next.href;
  }
}

/** Returns what keeps a request apart from cookies and a cache. A host that has none refuses to be told. */
function keptApart(): RequestInit {
  const wanted: RequestInit[] = [{ credentials: "omit" }, { cache: "no-store" }];
  return Object.assign({}, ...wanted.filter(isTaken));
}

function isTaken(given: RequestInit): boolean {
  try {
    return new Request("http://robots.invalid/", given) !== undefined;
  } catch {
    return false;
  }
}

/** Returns the URL that a redirect leads to, or `undefined` if it is none. */
function target(location: string, url: string): URL | undefined {
  try {
    const next = new URL(location, url);
    next.hash = "";
    return next;
  } catch {
    return undefined;
  }
}

/** Reads the last response. */
async function finished(response: Response, redirects: number, url: string): Promise<Ended> {
  const { status } = response;
  const headers = [...response.headers];
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    const reader = response.body?.getReader();
    while (reader !== undefined && length < ENOUGH) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      length += value.length;
    }
    if (length >= ENOUGH) await reader?.cancel().catch(() => {});
  } catch (error) {
    const kind = kindOf(error);
    return kind === TIMEOUT ? without(TIMEOUT, redirects, url) : { ...without(BROKEN, redirects, url, status), headers };
  }
  const body = new Uint8Array(length);
  parts.reduce((at, part) => (body.set(part, at), at + part.length), 0);
  return { end: STATUS, status, redirects, headers, body, answered: url };
}

/** Returns which error of the network an error of `fetch` is. All mean the same to the dialects. */
function kindOf(error: unknown): number {
  const { name } = error as Error;
  if (name === "TimeoutError" || name === "AbortError") return TIMEOUT;
  const code = String(((error as Error).cause as { code?: unknown } | undefined)?.code ?? "");
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return DNS;
  if (/CERT|SSL|TLS|SELF_SIGNED/.test(code)) return TLS;
  if (/^HPE_/.test(code)) return PROTOCOL;
  return /REFUSED|UNREACH|CONNECT/.test(code) ? CONNECT : RESET;
}
