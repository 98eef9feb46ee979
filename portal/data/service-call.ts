import { asCurl as curlOf } from "../../src/text/curl.ts";

/** Requests to the service, as code to paste. */

interface ServiceRequest {
  readonly method: string;
  /** The path from the origin: `/api/v1/investments/…`. */
  readonly path: string;
  /** The key's secret; null for a request without a key. */
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

/** Formats a request as a shell command. */
export function formatCurl({ method, path, secret }: ServiceRequest): string {
  return curlOf({ method, url: location.origin + path, key: secret });
}

/** Formats a request as JavaScript. */
export function formatFetch({ method, path, secret }: ServiceRequest): string {
  const members = [
    method === "GET" ? "" : `  method: ${JSON.stringify(method)},\n`,
    secret === null ? "" : `  headers: { Authorization: ${JSON.stringify(`Bearer ${secret}`)} },\n`,
  ].join("");
  const address = JSON.stringify(location.origin + path);
  return `const response = await fetch(${address}${members === "" ? "" : `, {\n${members}}`});`;
}

/** Indents a string that is JSON; returns any other string unchanged. */
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
