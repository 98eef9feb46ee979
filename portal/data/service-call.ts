import { asCurl as curlOf } from "../../src/text/curl.ts";

/** Calls of the service as code to paste. */

interface ServiceCall {
  readonly method: string;
  /** The path from the origin: `/api/v1/investments/…`. */
  readonly path: string;
  /** The key's secret; null for a call without one. */
  readonly secret: string | null;
}

const base = "/api/v1";

/** Converts a path below the base address to one from the origin. */
export function fromOrigin(path: string): string {
  return base + path;
}

/** Converts a path from the origin to one below the base address; null for a path outside the API. */
export function belowBase(path: string): string | null {
  return path === base || /^\/api\/v1[/?]/.test(path) ? path.slice(base.length) : null;
}

/** The call as a shell command. */
export function formatCurl({ method, path, secret }: ServiceCall): string {
  return curlOf({ method, url: location.origin + path, key: secret });
}

/** The call in JavaScript. */
export function formatFetch({ method, path, secret }: ServiceCall): string {
  const members = [
    method === "GET" ? "" : `  method: ${JSON.stringify(method)},\n`,
    secret === null ? "" : `  headers: { Authorization: ${JSON.stringify(`Bearer ${secret}`)} },\n`,
  ].join("");
  const address = JSON.stringify(location.origin + path);
  return `const response = await fetch(${address}${members === "" ? "" : `, {\n${members}}`});`;
}

/** A text as indented JSON, or as it is. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** `sandbox_partner_…`: a secret is copied without being shown. */
export function maskSecret(secret: string): string {
  return secret.replace(/[^_]+$/, "…");
}
