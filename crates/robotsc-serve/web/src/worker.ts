// The worker of the page as files: starts the module, and answers one request after the other.

import packed from "module";
import { fromBase64 } from "./base64.ts";
import { type Columns, join } from "./columns.ts";
import { unpack } from "./lzma.ts";
import type { Question, Told } from "./offline-answers.ts";

/** The size of the module, which the build knows. */
declare const MODULE_BYTES: number;
/** Its columns, which the build knows, too. */
declare const MODULE_COLUMNS: Omit<Columns, "bytes">;

/** The calls of the module, as its crate describes them. */
interface Module {
    memory: WebAssembly.Memory;
    robotsc_alloc(length: number): number;
    robotsc_free(start: number, length: number): void;
    robotsc_ask(path: number, pathLength: number, body: number, bodyLength: number, hasBody: number, reply: number): number;
}

/** The bytes of a reply: an address, a length, and a number that is not used here. */
const REPLY_BYTES = 12;
/** What a call returns if the request is wrong: the reply is a problem, whose status is the answer's. */
const WRONG = -5;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const bytes = join({ bytes: unpack(fromBase64(packed), MODULE_BYTES), ...MODULE_COLUMNS });
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
const module = exports as unknown as Module;
const reply = module.robotsc_alloc(REPLY_BYTES);

/** Copies a text into the memory of the module. Returns where it is, and its length. */
function write(text: string): [number, number] {
    const bytes = encoder.encode(text);
    const start = module.robotsc_alloc(bytes.length);
    if (start === 0) {
        throw new Error("there is no memory left");
    }
    new Uint8Array(module.memory.buffer).set(bytes, start);
    return [start, bytes.length];
}

function answer(path: string, body: string | undefined): { status: number; text: string } {
    const asked = write(path);
    const given = write(body ?? "");
    const number = module.robotsc_ask(...asked, ...given, Number(body !== undefined), reply);
    module.robotsc_free(...asked);
    module.robotsc_free(...given);
    const view = new DataView(module.memory.buffer, reply);
    const [start, length] = [view.getUint32(0, true), view.getUint32(4, true)];
    const text = decoder.decode(new Uint8Array(module.memory.buffer, start, length));
    module.robotsc_free(start, length);
    if (number === 0) {
        return { status: 200, text };
    }
    if (number !== WRONG) {
        throw new Error(text);
    }
    return { status: (JSON.parse(text) as { status: number }).status, text };
}

addEventListener("message", ({ data: { number, path, body } }: MessageEvent<Question>) => {
    let told: Told;
    try {
        told = { number, ...answer(path, body) };
    } catch (error) {
        told = { number, status: 0, text: error instanceof Error ? error.message : String(error) };
    }
    postMessage(told);
});
