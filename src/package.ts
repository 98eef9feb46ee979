import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { servedAt } from "./model/origin.ts";

/** The folder of this package: `src/` and `dist/` lie in it, `build/src/` one folder deeper. */
export const packageRoot: URL = new URL(
  import.meta.url.endsWith("/build/src/package.js") ? "../../" : "../",
  import.meta.url,
);

/** The version of this package, and the address of its guides. */
export const { version, homepage: guides } = JSON.parse(
  // Neither imported nor required: Jest and bundlers replace both.
  readFileSync(new URL("package.json", packageRoot), "utf8"),
) as { readonly version: string; readonly homepage: string };

/** The members of the admin API's OpenAPI document that are read here. */
type AdminOpenApi = {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly { readonly url: string }[];
};

/** Reads the OpenAPI document of the admin API, as `npm run generate` wrote it, for the server at an origin. */
export async function adminOpenApi(origin: string): Promise<AdminOpenApi> {
  const text = await readFile(new URL("schema/openapi-admin.json", packageRoot), "utf8");
  const document = JSON.parse(text) as AdminOpenApi;
  return servedAt(origin, { ...document, info: { ...document.info, version } });
}
