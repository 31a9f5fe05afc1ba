import { Engine } from "./engine.js";

/** Returns a function that returns the running instance of a module; the first call starts it. */
export function engines(wasm: Uint8Array | WebAssembly.Module): () => Engine {
  let module: WebAssembly.Module | undefined;
  let engine: Engine | undefined;
  return () => {
    module ??= wasm instanceof Uint8Array ? new WebAssembly.Module(wasm as Uint8Array<ArrayBuffer>) : wasm;
    // One that stopped answers nothing any more; the next file gets another.
    if (engine === undefined || engine.stopped) engine = new Engine(module);
    return engine;
  };
}
