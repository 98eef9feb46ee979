import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { servedAt } from "./text/origin.ts";

/** The folder of this package. It contains `src/` and `dist/`; `build/src/` is one level deeper. */
export const packageRoot: URL = new URL(
  import.meta.url.endsWith("/build/src/package.js") ? "../../" : "../",
  import.meta.url,
);

/** @public The script that bundles writes it, too. */
export const cannotBeBundled =
  "offering-sandbox reads files of its own package, so it cannot be bundled; mark it external: esbuild --external:offering-sandbox.";

/** The version of this package, and the address of its guides. */
export const { version, homepage: guides } = manifest();

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly homepage: string;
}

/** Read as a file, because Jest and bundlers replace imports and `require`. */
function manifest(): Manifest {
  const file = new URL("package.json", packageRoot);
  const content = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Manifest) : undefined;
  if (content?.name === "offering-sandbox") return content;
  throw new Error(cannotBeBundled);
}

/** The command for this installation, by the package manager in use: a registry may have another of this name. */
export function commandHere(): string {
  const { npm_config_user_agent: agent = "" } = process.env;
  if (agent.startsWith("yarn/") || "pnp" in process.versions) return "yarn offering-sandbox";
  return `${agent.startsWith("pnpm/") ? "pnpm exec" : "npx --no-install"} offering-sandbox`;
}

/** A call in an OpenAPI document. */
export interface DescribedCall {
  readonly parameters: readonly {
    readonly name: string;
    readonly description: string;
    /** The default in words. */
    readonly "x-default"?: string;
    readonly required?: boolean;
    readonly schema: object;
  }[];
  /** The schemas of the body by media type. */
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
}

/** The members of the admin API's OpenAPI document that the program reads. */
type AdminOpenApi = {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly { readonly url: string }[];
  /** Calls by path and method, in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedCall>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

/** Reads the OpenAPI document of the admin API, as `npm run generate` wrote it, for the server at an origin. */
export async function adminOpenApi(origin: string): Promise<AdminOpenApi> {
  const text = await readFile(new URL("schema/openapi-admin.json", packageRoot), "utf8");
  const document = JSON.parse(text) as AdminOpenApi;
  return servedAt(origin, { ...document, info: { ...document.info, version } });
}
