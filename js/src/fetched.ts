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
/** `fetch` hides what the site answered; or it failed, and does not say that the network did. */
const OWN = 11;

/** What a crawler does with each redirect is for the dialect to say, up to this number of them. */
const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
/** The bytes after which no crawler reads on: the limit, the line that crosses it, and one that shows the rest. */
const ENOUGH = 512_000 + 16_664 + 1;

/** Errors of the network by their codes: those of Node and its `fetch`, and of Bun. */
const CODES: [RegExp, number][] = [
  [/^(?:ENOTFOUND|EAI_\w+)$/, DNS],
  [/^(?:ECONNREFUSED|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT)$/, CONNECT],
  [/^(?:ConnectionRefused|FailedToOpenSocket)$/, CONNECT],
  [/CERT|^ERR_(?:SSL|TLS)_|^EPROTO$|SELF_SIGNED|^UNABLE_TO_/, TLS],
  [/^(?:ETIMEDOUT|UND_ERR_(?:HEADERS|BODY)_TIMEOUT)$/, TIMEOUT],
  [/^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|ConnectionClosed)$/, RESET],
  [/^(?:HPE_\w+|UND_ERR_(?:HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH))$/, PROTOCOL],
];

/** What a cache needs of a response: those of `fetch` have it. */
export interface FetchedResponse {
  readonly status: number;
  readonly redirected?: boolean | undefined;
  readonly headers: {
    get(name: string): string | null;
    forEach(each: (value: string, name: string) => void): void;
  };
  readonly body: {
    getReader(): {
      read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
      cancel(): Promise<unknown>;
    };
    cancel(): Promise<unknown>;
  } | null;
}

/** What a cache asks `fetch` with. */
export interface FetchInit {
  headers: Record<string, string>;
  /** An `AbortSignal`, whose type not every program knows. */
  signal: any;
  redirect: "manual";
  credentials?: "omit";
  cache?: "no-store";
}

/** Sends a request, as `fetch` does. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchedResponse>;

/** How a fetch ended. */
export interface Ended {
  end: number;
  status: number;
  redirects: number;
  headers: [string, string][];
  body: Uint8Array;
  /** The URL that answered; of an end that says nothing of the site, what is wrong. */
  answered: string;
}

/** What a request asks with if a copy is held: it is sent to the URL that answered with it, and to no other. */
export interface Conditions {
  url: string;
  etag: string;
  modified: string;
}

export interface FetchOptions {
  fetch: Fetch;
  /** Whether `fetch` is the caller's. */
  isOwn: boolean;
  userAgent: string;
  /** In milliseconds. */
  timeout: number;
  conditions: Conditions;
}

function without(end: number, redirects: number, answered: string, status = 0): Ended {
  return { end, status, redirects, headers: [], body: new Uint8Array(), answered };
}

/** @internal Returns the end of a fetch that threw, since what `fetch` returned is no response. */
export function noResponse(error: unknown): Ended {
  return without(OWN, 0, String((error as Thrown)?.message ?? error));
}

/**
 * @internal Fetches a robots.txt until `controller` is aborted. Whatever happens is a way to end. Throws if what
 * `fetch` returns is no response.
 */
export async function fetchRobots(
  robotsUrl: string,
  options: FetchOptions,
  controller: AbortController,
): Promise<Ended> {
  const late = () => controller.abort(new DOMException("the fetch took too long", "TimeoutError"));
  const timer = setTimeout(late, options.timeout);
  try {
    return await followed(robotsUrl, options, controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function followed(robotsUrl: string, options: FetchOptions, signal: AbortSignal): Promise<Ended> {
  const { fetch: ask, userAgent } = options;
  const apart = keptApart();
  const visited = new Set<string>();
  let url = robotsUrl;
  for (let redirects = 0; ; redirects++) {
    visited.add(url);
    const { etag, modified } = options.conditions.url === url ? options.conditions : { etag: "", modified: "" };
    const headers: Record<string, string> = {
      "User-Agent": userAgent,
      Accept: "text/plain, */*;q=0.5",
      // Of a coded body that breaks off nobody says so here. Browsers ask as they like.
      "Accept-Encoding": "identity",
    };
    if (etag !== "") headers["If-None-Match"] = etag;
    if (modified !== "") headers["If-Modified-Since"] = modified;
    let response: FetchedResponse;
    try {
      // Each redirect is judged here: a client that follows them does not say how many there were.
      response = await ask(url, { headers, signal, redirect: "manual", ...apart });
    } catch (error) {
      return failed(error, options, signal, redirects, url);
    }
    refuseOther(response);
    // A client that does not look at the signal comes late.
    if (signal.aborted) {
      response.body?.cancel().catch(() => {});
      return without(TIMEOUT, redirects, url);
    }
    const { status } = response;
    if (response.redirected) return without(OWN, redirects, "fetch followed a redirect: pass on redirect: 'manual'");
    // A browser hides from a page what a redirect is.
    if (status === 0) return without(OWN, redirects, "fetch hides what the server answered, such as a redirect");
    if (status < 100 || status > 599) return without(PROTOCOL, redirects, url);
    if (status === 304 && etag === "" && modified === "") return without(PROTOCOL, redirects, url);
    const sent: [string, string][] = [];
    response.headers.forEach((value, name) => sent.push([name, value]));
    if (!REDIRECTS.includes(status)) return await finished(response, sent, options, signal, redirects, url);
    response.body?.cancel().catch(() => {});
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
function keptApart(): Pick<FetchInit, "credentials" | "cache"> {
  const wanted: Pick<FetchInit, "credentials" | "cache">[] = [{ credentials: "omit" }, { cache: "no-store" }];
  return Object.assign({}, ...wanted.filter(isTaken));
}

function isTaken(given: RequestInit): boolean {
  try {
    return new Request("http://robots.invalid/", given) !== undefined;
  } catch {
    return false;
  }
}

/** Throws if a value is no response: what it lacks would count as an empty file. */
function refuseOther(response: FetchedResponse): void {
  const { status, headers, body } = response ?? {};
  if (!Number.isInteger(status) || typeof headers?.get !== "function" || typeof headers.forEach !== "function") {
    throw new TypeError("fetch returned no Response: a status that is a whole number, headers and a body are needed");
  }
  if (body === null || typeof body?.getReader === "function") return;
  const way = body === undefined ? "return new Response(text, { status, headers })" : "use Readable.toWeb(body)";
  throw new TypeError(`fetch returned a body that is neither null nor a ReadableStream: ${way}`);
}

/** Throws if a part of a body is no bytes: it would count as none, or as zeros. */
function refuseOtherPart(part: unknown): asserts part is Uint8Array {
  // One of another realm, as of a test runner's, is no `instanceof`.
  const kind = Object.prototype.toString.call(part).slice(8, -1);
  if (kind === "Uint8Array") return;
  const way = "return new Response(body), or encode text with TextEncoder";
  throw new TypeError(`fetch returned a body whose parts are no Uint8Array, but ${kind}: ${way}`);
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
async function finished(
  response: FetchedResponse,
  headers: [string, string][],
  options: FetchOptions,
  signal: AbortSignal,
  redirects: number,
  url: string,
): Promise<Ended> {
  const { status } = response;
  const parts: Uint8Array[] = [];
  let length = 0;
  // Throws if the body was read already.
  const reader = response.body?.getReader();
  try {
    while (reader !== undefined && length < ENOUGH) {
      let read: { done: boolean; value?: Uint8Array | undefined };
      try {
        read = await reader.read();
      } catch (error) {
        const ended = failed(error, options, signal, redirects, url);
        // A browser hands out no response that it blocks: what breaks off after it is the network.
        if (ended.end === TIMEOUT || (ended.end === OWN && options.isOwn)) return ended;
        return { ...without(BROKEN, redirects, url, status), headers };
      }
      if (signal.aborted) return without(TIMEOUT, redirects, url);
      if (read.done) break;
      refuseOtherPart(read.value);
      parts.push(read.value);
      length += read.value.length;
    }
  } finally {
    reader?.cancel().catch(() => {});
  }
  const body = new Uint8Array(length);
  parts.reduce((at, part) => (body.set(part, at), at + part.length), 0);
  return { end: STATUS, status, redirects, headers, body, answered: url };
}

/** What is looked at of an error. */
interface Thrown {
  name?: string;
  message?: string;
  code?: unknown;
  cause?: any;
}

/** Returns how a fetch ended that threw an error. All errors of the network mean the same to the dialects. */
function failed(error: unknown, options: FetchOptions, signal: AbortSignal, redirects: number, url: string): Ended {
  const { name, message, code, cause } = (error ?? {}) as Thrown;
  if (signal.aborted || name === "TimeoutError") return without(TIMEOUT, redirects, url);
  const codes = [code, cause?.code, cause?.cause?.code].filter((code) => typeof code === "string");
  const known = CODES.find(([pattern]) => codes.some((code) => pattern.test(code)));
  if (known !== undefined) return without(known[1], redirects, url);
  // A guard that refuses an address, or a bug.
  if (options.isOwn || isBrowser()) return without(OWN, redirects, String(message ?? error));
  return without(RESET, redirects, url);
}

/**
 * Reports whether the host is a browser. Its `fetch` throws the same error for the network as for a response that it
 * keeps from the page, as for want of a CORS header, and for a request that it does not send.
 */
function isBrowser(): boolean {
  return "document" in globalThis || "WorkerGlobalScope" in globalThis;
}
