import { errorOf, RobotsError } from "./errors.js";

/** The calls of the module, by their names. */
type Call = (...args: number[]) => number;

const REPLY_BYTES = 12;
const SCRATCH_BYTES = 4096;
const MAX_KEPT_BYTES = 1 << 20;
const MAX_BYTES = 1 << 30;
const LONE_SURROGATE = /[\uD800-\uDFFF]/u;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What to drop when a JavaScript object is collected. */
interface Held {
  engine: Engine;
  address: number;
}

/** One instance of the module: its memory, and how it is called. */
export class Engine {
  #calls: Record<string, Call>;
  #memory: WebAssembly.Memory;
  #view: Uint8Array<ArrayBuffer>;
  #reply: number;
  #scratch: number;
  #capacity = SCRATCH_BYTES;
  #stopped = false;
  #registry = new FinalizationRegistry<Held>(({ engine, address }) => engine.drop(address));

  constructor(module: WebAssembly.Module) {
    const exported = new WebAssembly.Instance(module).exports;
    this.#calls = exported as unknown as Record<string, Call>;
    this.#memory = exported.memory as WebAssembly.Memory;
    this.#view = new Uint8Array(this.#memory.buffer);
    this.#reply = this.#alloc(REPLY_BYTES);
    this.#scratch = this.#alloc(SCRATCH_BYTES);
  }

  /** Whether a call trapped: then nothing in its memory can be relied on. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** The number of bytes of its memory. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Calls the module. Returns a number that is not negative, or throws. */
  call(name: string, ...args: number[]): number {
    const result = this.#run(name, args, true);
    return result < 0 ? this.#fail(result) : result;
  }

  /** Calls the module, and returns the address of the object that it replies with. */
  object(name: string, ...args: number[]): number {
    this.call(name, ...args);
    return this.#replied()[0];
  }

  /** Calls the module, and returns the bytes that it replies with. */
  bytes(name: string, ...args: number[]): Uint8Array {
    this.call(name, ...args);
    return this.#take();
  }

  /** Calls the module, and returns the text that it replies with. */
  text(name: string, ...args: number[]): string {
    return decoder.decode(this.bytes(name, ...args));
  }

  /** Asks about a URL: the shortest way from a string to a verdict. */
  ask(name: string, object: number, url: string): boolean {
    if (url.length > MAX_BYTES / 3) throw new RangeError("a URL has at most a third of a GiB");
    if (this.#stopped) throw new RobotsError(STOPPED);
    this.#reserve(url.length * 3);
    const view = this.#fresh();
    let length = 0;
    let at = this.#scratch;
    for (; length < url.length; length++, at++) {
      const unit = url.charCodeAt(length);
      if (unit >= 0x80) break;
      view[at] = unit;
    }
    if (length < url.length) {
      if (LONE_SURROGATE.test(url)) this.#surrogate();
      length = encoder.encodeInto(url, view.subarray(this.#scratch, this.#scratch + url.length * 3)).written;
    }
    let result: number;
    try {
      result = this.#calls[`robotsc_${name}`]!(object, this.#scratch, length, this.#reply);
    } catch (error) {
      this.#stopped = true;
      throw new RobotsError(STOPPED, { cause: error });
    }
    if (this.#capacity > MAX_KEPT_BYTES) this.#reserve(0);
    if (result === 1) return true;
    if (result === 0) return false;
    return this.#fail(result) === 1;
  }

  /** Writes values one after the other, and returns where each is, with its length. */
  write(...values: Uint8Array[]): [number, number][] {
    let total = 0;
    for (const value of values) total += value.length;
    this.#reserve(total);
    const view = this.#fresh();
    let at = this.#scratch;
    return values.map((value) => {
      const start = at;
      view.set(value, at);
      at += value.length;
      return [start, value.length];
    });
  }

  /** Writes texts without anything between, and the offsets after each. Returns where both are, and room for answers. */
  writeMany(texts: readonly string[]): { texts: [number, number]; ends: [number, number]; answers: [number, number] } {
    const joined = texts.join("");
    if (joined.length > MAX_BYTES / 3) throw new RangeError("the URLs have at most a third of a GiB: pass fewer");
    const count = texts.length;
    const endsAt = (joined.length * 3 + 7) & ~7;
    this.#reserve(endsAt + count * 5 + 8);
    const view = this.#fresh();
    const start = this.#scratch;
    const { written } = encoder.encodeInto(joined, view.subarray(start, start + joined.length * 3));
    const ends = new Uint8Array(count * 4);
    const numbers = new DataView(ends.buffer);
    let end = 0;
    if (written === joined.length) {
      for (let at = 0; at < count; at++) numbers.setUint32(at * 4, (end += texts[at]!.length), true);
    } else {
      for (let at = 0; at < count; at++) {
        if (LONE_SURROGATE.test(texts[at]!)) this.#surrogate(at);
        numbers.setUint32(at * 4, (end += encoder.encode(texts[at]).length), true);
      }
    }
    view.set(ends, start + endsAt);
    const answers = start + endsAt + count * 4;
    return { texts: [start, written], ends: [start + endsAt, count * 4], answers: [answers, count] };
  }

  /** Returns a copy of bytes of its memory. */
  read(start: number, length: number): Uint8Array {
    return this.#fresh().slice(start, start + length);
  }

  /** Drops an object once its owner is collected. */
  hold(owner: object, address: number): void {
    this.#registry.register(owner, { engine: this, address }, owner);
  }

  /** Drops an object now. */
  release(owner: object, address: number): void {
    this.#registry.unregister(owner);
    this.drop(address);
  }

  drop(address: number): void {
    if (!this.#stopped) this.#run("drop", [address], false);
  }

  #run(name: string, args: number[], replies: boolean): number {
    if (this.#stopped) throw new RobotsError(STOPPED);
    const call = this.#calls[`robotsc_${name}`];
    if (call === undefined) throw new RobotsError(`the module has no ${name}: use another entry of the package`);
    try {
      const result = replies ? call(...args, this.#reply) : call(...args);
      if (this.#capacity > MAX_KEPT_BYTES && name !== "allowed_many") this.#reserve(0);
      return result;
    } catch (error) {
      this.#stopped = true;
      throw new RobotsError(STOPPED, { cause: error });
    }
  }

  #fresh(): Uint8Array<ArrayBuffer> {
    // Memory that grew has another buffer; the old one is detached.
    if (this.#view.buffer !== this.#memory.buffer) this.#view = new Uint8Array(this.#memory.buffer);
    return this.#view;
  }

  #alloc(length: number): number {
    let start: number;
    try {
      start = this.#calls.robotsc_alloc!(length);
    } catch (error) {
      this.#stopped = true;
      throw new RobotsError(STOPPED, { cause: error });
    }
    if (start === 0) throw new RangeError("the module has no memory left");
    return start;
  }

  /** Makes room for arguments; a large room is given up when it is no longer needed. */
  #reserve(length: number): void {
    if (this.#stopped) throw new RobotsError(STOPPED);
    if (length > MAX_BYTES) throw new RangeError("a call takes at most a GiB: pass less at a time");
    const keeps = length <= this.#capacity && (this.#capacity <= MAX_KEPT_BYTES || length > MAX_KEPT_BYTES);
    if (keeps) return;
    this.#calls.robotsc_free!(this.#scratch, this.#capacity);
    this.#scratch = 0;
    const capacity = Math.max(SCRATCH_BYTES, length);
    this.#capacity = 0;
    this.#scratch = this.#alloc(capacity);
    this.#capacity = capacity;
  }

  #replied(): [number, number, number] {
    const reply = new DataView(this.#memory.buffer, this.#reply, REPLY_BYTES);
    return [reply.getUint32(0, true), reply.getUint32(4, true), reply.getUint32(8, true)];
  }

  #take(): Uint8Array {
    const [start, length] = this.#replied();
    const copy = this.read(start, length);
    this.#run("free", [start, length], false);
    return copy;
  }

  #fail(code: number): never {
    const index = this.#replied()[2];
    throw errorOf(code, decoder.decode(this.#take()), this.#isMany ? index : undefined);
  }

  /** Whether the call was about several URLs. */
  #isMany = false;

  /** Calls `allowed_many`, whose mistakes say which URL they are about. */
  many(...args: number[]): void {
    this.#isMany = true;
    try {
      this.call("allowed_many", ...args);
    } finally {
      this.#isMany = false;
    }
  }

  #surrogate(index?: number): never {
    throw errorOf(
      -3,
      "the URL holds a lone surrogate, which has no UTF-8 form: escape it",
      index,
    );
  }
}

const STOPPED = "the module stopped while it answered: parse the file again, and please report what it was asked";
