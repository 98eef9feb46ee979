import { createRequire } from "node:module";
import { packageRoot } from "./package-root.ts";

/** The version of this package. */
export const version: string = (createRequire(packageRoot)("./package.json") as { version: string }).version;
