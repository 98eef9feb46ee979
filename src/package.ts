import { createRequire } from "node:module";

/** The folder of this package. Every form of this file, source, compiled or bundled, lies one folder below it. */
export const packageRoot: URL = new URL("../", import.meta.url);

/** The version of this package. */
export const version: string = (createRequire(packageRoot)("./package.json") as { version: string }).version;
