import { errorOf, RobotsError } from "./errors.js";

/** The calls of the module, by their names. */
type Call = (...args: number[]) => number;

const PREFIX = "robotsc_";
const REPLY_BYTES = 12;
const SCRATCH_BYTES = 4096;
const MAX_KEPT_BYTES = 1 << 20;
const LONG = 1 << 16;
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
  /** By their names without the prefix. */
  #calls: Record<string, Call>;
  #memory: WebAssembly.Memory;
  #view!: Uint8Array<ArrayBuffer>;
  #numbers!: DataView;
  #reply: number;
  /** Where arguments are written, and the same as a view. */
  #scratch = 0;
  #room!: Uint8Array<ArrayBuffer>;
  #capacity = 0;
  #stopped = false;
  /** Some hosts have none: there, what is not disposed stays. */
  #registry = typeof FinalizationRegistry === "function"
    ? new FinalizationRegistry<Held>(({ engine, address }) => engine.drop(address)) : undefined;

  /** The type of the module is not stated: programs without the types of browsers do not know it. */
  constructor(module: object) {
    const exported = new WebAssembly.Instance(module as WebAssembly.Module).exports;
    const calls = Object.entries(exported as Record<string, unknown>).filter(([name]) => name.startsWith(PREFIX));
    this.#calls = Object.fromEntries(calls.map(([name, call]) => [name.slice(PREFIX.length), call as Call]));
    this.#memory = exported.memory as WebAssembly.Memory;
    this.#reply = this.#alloc(REPLY_BYTES);
    this.#reserve(SCRATCH_BYTES);
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
    return this.#call(name, args);
  }

  /** Calls the module, and returns the address of the object that it replies with. */
  object(name: string, ...args: number[]): number {
    this.#call(name, args);
    return this.#replied(0);
  }

  /** Calls the module, and returns the bytes that it replies with. */
  bytes(name: string, ...args: number[]): Uint8Array {
    this.#call(name, args);
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
    const { written } = encoder.encodeInto(url, this.#room);
    if (written !== url.length && LONE_SURROGATE.test(url)) this.#surrogate();
    let result: number;
    try {
      result = this.#calls[name]!(object, this.#scratch, written, this.#reply);
    } catch (error) {
      this.#stopped = true;
      throw new RobotsError(STOPPED, { cause: error });
    }
    if (this.#capacity > MAX_KEPT_BYTES) this.#reserve(0);
    if (result === 1) return true;
    if (result === 0) return false;
    return this.#fail(result) === 1;
  }

  /** Writes texts and bytes one after the other, and returns the address and the length of each, in turn. */
  write(...values: (string | Uint8Array)[]): number[] {
    let room = 0;
    // A long text is encoded first: room for it in the module would be three times its length.
    values = values.map((value) => (typeof value === "string" && value.length > LONG ? encoder.encode(value) : value));
    for (const value of values) room += typeof value === "string" ? value.length * 3 : value.length;
    this.#reserve(room);
    const places: number[] = [];
    let at = 0;
    for (const value of values) {
      let { length } = value;
      if (length !== 0) {
        const to = at === 0 ? this.#room : this.#room.subarray(at);
        if (typeof value === "string") length = encoder.encodeInto(value, to).written;
        else to.set(value);
      }
      places.push(this.#scratch + at, length);
      at += length;
    }
    return places;
  }

  /** Writes texts without anything between, and the offsets after each. Returns where both are, and room for answers. */
  writeMany(texts: readonly string[]): { texts: [number, number]; ends: [number, number]; answers: [number, number] } {
    const joined = texts.join("");
    if (joined.length > MAX_BYTES / 3) throw new RangeError("the URLs have at most a third of a GiB: pass fewer");
    const count = texts.length;
    const endsAt = (joined.length * 3 + 7) & ~7;
    this.#reserve(endsAt + count * 5 + 8);
    const start = this.#scratch;
    const numbers = this.#numbers;
    const { written } = encoder.encodeInto(joined, this.#room);
    let end = 0;
    if (written === joined.length) {
      for (let at = 0; at < count; at++) numbers.setUint32(start + endsAt + at * 4, (end += texts[at]!.length), true);
    } else {
      for (let at = 0; at < count; at++) {
        if (LONE_SURROGATE.test(texts[at]!)) this.#surrogate(at);
        numbers.setUint32(start + endsAt + at * 4, (end += encoder.encode(texts[at]).length), true);
      }
    }
    const answers = start + endsAt + count * 4;
    return { texts: [start, written], ends: [start + endsAt, count * 4], answers: [answers, count] };
  }

  /** Returns a copy of bytes of its memory. */
  read(start: number, length: number): Uint8Array {
    this.#renew();
    return this.#view.slice(start, start + length);
  }

  /** Drops an object once its owner is collected. */
  hold(owner: object, address: number): void {
    this.#registry?.register(owner, { engine: this, address }, owner);
  }

  /** Drops an object now. */
  release(owner: object, address: number): void {
    this.#registry?.unregister(owner);
    this.drop(address);
  }

  drop(address: number): void {
    if (!this.#stopped) this.#run("drop", [address]);
  }

  #call(name: string, args: number[]): number {
    args.push(this.#reply);
    const result = this.#run(name, args);
    return result < 0 ? this.#fail(result) : result;
  }

  #run(name: string, args: number[]): number {
    if (this.#stopped) throw new RobotsError(STOPPED);
    const call = this.#calls[name];
    if (call === undefined) throw new RobotsError(`the module has no ${name}: use another entry of the package`);
    try {
      const result = call(...args);
      if (this.#capacity > MAX_KEPT_BYTES && name !== "allowed_many") this.#reserve(0);
      return result;
    } catch (error) {
      this.#stopped = true;
      throw new RobotsError(STOPPED, { cause: error });
    }
  }

  /** Makes views again if memory grew: it has another buffer then, and views of the old one are empty. */
  #renew(): void {
    if (this.#view?.length) return;
    this.#view = new Uint8Array(this.#memory.buffer);
    this.#numbers = new DataView(this.#memory.buffer);
    this.#room = this.#view.subarray(this.#scratch, this.#scratch + this.#capacity);
  }

  #alloc(length: number): number {
    let start: number;
    try {
      start = this.#calls.alloc!(length);
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
    if (keeps) return this.#renew();
    this.#calls.free!(this.#scratch, this.#capacity);
    this.#scratch = 0;
    const capacity = Math.max(SCRATCH_BYTES, length);
    this.#capacity = 0;
    this.#scratch = this.#alloc(capacity);
    this.#capacity = capacity;
    this.#renew();
    this.#room = this.#view.subarray(this.#scratch, this.#scratch + capacity);
  }

  /** Returns a number of the reply: 0 is the address, 1 the length, 2 the index. */
  #replied(number: number): number {
    this.#renew();
    return this.#numbers.getUint32(this.#reply + number * 4, true);
  }

  #take(): Uint8Array {
    const [start, length] = [this.#replied(0), this.#replied(1)];
    const copy = this.read(start, length);
    this.#run("free", [start, length]);
    return copy;
  }

  #fail(code: number): never {
    const index = this.#replied(2);
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
