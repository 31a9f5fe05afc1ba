// What the build puts into the page as files.

/** The script of the worker. */
declare module "worker" {
    const script: string;
    export default script;
}

/** The module, packed, as base64. */
declare module "module" {
    const packed: string;
    export default packed;
}
