declare module "*.wasm" {
  /** Where files import modules as such, it is compiled. */
  const module: Uint8Array | WebAssembly.Module;
  export default module;
}

declare module "cloudflare:workers" {
  export const waitUntil: ((work: Promise<void>) => void) | undefined;
}
