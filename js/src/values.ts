import { RobotsError, UrlError } from "./errors.js";

/** Bytes of a body or a program. */
export type Bytes = Uint8Array | ArrayBuffer;

const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

/** Returns what a value is, for messages. */
function kindOf(value: unknown): string {
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  const name = Object.prototype.toString.call(value).slice(8, -1);
  return name === "Object" ? "an object" : `${/^[AEIO]/.test(name) ? "an" : "a"} ${name}`;
}

/** Returns the error for a value that is no robots.txt. */
export function noBody(value: unknown): TypeError {
  const way = "of a response, pass await response.text()";
  return new TypeError(`a robots.txt is a string, a Uint8Array or an ArrayBuffer, not ${kindOf(value)}: ${way}`);
}

/** Throws if a method is called without its object, as `urls.filter(matcher.isAllowed)` does. */
export function attached(object: unknown, name: string): void {
  if (object === undefined) {
    throw new TypeError(`${name} was taken off its object: pass a function that calls it: x => object.${name}(x)`);
  }
}

/** Returns a text. Throws if it is no string, or has no UTF-8 form. */
export function wellFormed(value: unknown, what: string): string {
  if (typeof value !== "string") throw new TypeError(`${what} is a string, not ${kindOf(value)}`);
  if (LONE_SURROGATE.test(value)) {
    const message = `${what} holds a lone surrogate, which has no UTF-8 form: pass the bytes that it was decoded from`;
    throw what === "a URL" ? new UrlError(message) : new RobotsError(message);
  }
  return value;
}

/** Returns bytes. Throws if they are none, or were detached: an empty robots.txt would allow everything. */
export function bytes(value: unknown, what: string): Uint8Array {
  const tag = Object.prototype.toString.call(value);
  if (tag === "[object ArrayBuffer]") {
    refuseResizable(value as ArrayBuffer, what);
    return new Uint8Array(value as ArrayBuffer);
  }
  if (!ArrayBuffer.isView(value) || tag !== "[object Uint8Array]") {
    if (what === "a robots.txt") throw noBody(value);
    throw new TypeError(`${what} is a Uint8Array or an ArrayBuffer, not ${kindOf(value)}`);
  }
  const { buffer, byteOffset, byteLength } = value as Uint8Array;
  refuseResizable(buffer, what);
  // Throws if the buffer was detached; the length of a view of it would be 0.
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** A view of a buffer that shrank has the length 0, as an empty file. */
function refuseResizable(buffer: ArrayBufferLike, what: string): void {
  if ((buffer as { resizable?: boolean }).resizable || (buffer as { growable?: boolean }).growable) {
    throw new TypeError(`${what} is in a resizable buffer: pass a copy, such as bytes.slice()`);
  }
}

/** Returns options. Throws if they are no object, or hold a name that is none of `known`. */
export function options<T extends object>(value: T | undefined, known: readonly string[]): Partial<T> {
  if (value === undefined) return {};
  // A value of another kind, such as an array or an AbortSignal, has no option, and would be passed over.
  const isObject = typeof value === "object" && value !== null;
  const prototype = isObject ? Object.getPrototypeOf(value) : undefined;
  if (!isObject || (prototype !== null && Object.getPrototypeOf(prototype) !== null)) {
    throw new TypeError(`options are a plain object, not ${kindOf(value)}`);
  }
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) throw new TypeError(`no option is called ${name}: use ${known.join(", ")}`);
  }
  return value;
}

/** Returns an option that is true or false. */
export function flag(value: unknown, name: string): number {
  if (value === undefined) return 0;
  if (typeof value !== "boolean") throw new TypeError(`${name} is true or false, not ${kindOf(value)}`);
  return Number(value);
}
