// How both pages are built.
import { fileURLToPath } from "node:url";
import * as path from "node:path";

export const root = path.dirname(fileURLToPath(import.meta.url));

export const options = {
    absWorkingDir: root,
    bundle: true,
    minify: true,
    target: ["chrome111", "firefox128", "safari16.4"],
    legalComments: "none",
    charset: "utf8",
    logLevel: "warning",
    write: false,
};
