import wasm from "../wasm/walk.wasm";
import { UrlError } from "./errors.js";
import { engines } from "./loaded.js";
import { Owned } from "./robots.js";
import { attached, type Bytes, bytes, wellFormed } from "./values.js";

export { ProgramError, RobotsError, UrlError } from "./errors.js";
export type { Bytes } from "./values.js";

const engine = engines(wasm);

/** The compiled rules of one agent, as `Matcher.compile` makes them. */
export class Program extends Owned {
  readonly #form: number;

  /** Validates the bytes of a program. */
  constructor(program: Bytes) {
    const running = engine();
    const read = bytes(program, "a program");
    const address = running.object("program_load", ...running.write(read));
    super(running, address);
    this.#form = running.call("program_form", address);
  }

  /**
   * Reports whether a URL, or a path that starts with one `/`, is allowed. Programs of the dialects `rfc9309` and
   * `yandex` take what the library would not change, and throw for other URLs.
   */
  isAllowed(url: string): boolean {
    attached(this, "isAllowed");
    wellFormed(url, "a URL");
    return this.engine.ask("program_allowed", this.address, hosted(this.#form === 0 ? escapedPath(url) : plainPath(url)));
  }

  /** As `isAllowed`, for a path that `Robots.urlPath` returned. */
  isPathAllowed(path: Bytes): boolean {
    const address = this.address;
    const read = bytes(path, "a path");
    const isHosted = read[0] === SLASH && read[1] === SLASH;
    const asked = isHosted ? Uint8Array.of(...new TextEncoder().encode(HOST), ...read) : read;
    return this.engine.call("program_allowed", address, ...this.engine.write(asked)) === 1;
  }
}

const SLASH = 0x2f;
const HOST = "http://robots.invalid";

/** Returns a path with a host if its two slashes would begin one. */
function hosted(path: string): string {
  return path.startsWith("//") ? HOST + path : path;
}

const SCHEME = /^(?:https?|ftp):\/\//i;

/** Returns the path and query of a URL, resolved and escaped as URLs are sent. */
function escapedPath(url: string): string {
  const path = /^\/(?![/\\])/.test(url);
  if (!path && !SCHEME.test(url)) throw new UrlError("the URL is no path, and has no scheme of http, https or ftp");
  let parsed: URL;
  try {
    parsed = path ? new URL(url, HOST) : new URL(url);
  } catch (error) {
    throw new UrlError("the URL has no path on a host", undefined);
  }
  const search = parsed.search === "" && /^[^#]*\?(?:#|$)/.test(url) ? "?" : parsed.search;
  return (parsed.pathname + search).replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
}

/** Returns the path and query of a URL as they stand. */
function plainPath(url: string): string {
  const found = /^(?:(?:https?|ftp):\/\/[^/?#\\]+)?(\/(?![/\\]).*|\/?)$/i.exec(url.replace(/#.*$/s, ""));
  if (found === null) throw new UrlError("the URL has no path as it stands: pass that of Robots.urlPath");
  return found[1] === "" ? "/" : found[1]!;
}
