import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { escaped } from "./text.ts";

/** Returns the origin a request was sent to, also through a proxy with TLS. */
export function originOf({ headers }: Pick<IncomingMessage, "headers">): string {
  // Each proxy adds a scheme; the first scheme is the client's.
  const scheme = /^\s*https\s*(?:,|$)/i.test(String(headers["x-forwarded-proto"])) ? "https" : "http";
  const { host = "" } = headers;
  const text = /^[\w.:[\]-]+$/.test(host) ? `${scheme}://${host}` : "";
  return URL.canParse(text) ? new URL(text).origin : `${scheme}://localhost`;
}

/** Sets the origin of the addresses in an OpenAPI document. Most tools need an absolute address. */
export function servedAt<Document extends { readonly servers: readonly { readonly url: string }[] }>(
  origin: string,
  document: Document,
): Document {
  const servers = document.servers.map((server) => ({ ...server, url: origin + new URL(server.url, origin).pathname }));
  return { ...document, servers };
}

/** Returns true for names and addresses of this machine, also for an address in the brackets of a URL. */
export function isLoopback(name: string): boolean {
  const host = name.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0) return host === "::1" || /^(?:127\.|::ffff:(?:127\.|7f..:))/i.test(host);
  // A name may end in a dot.
  return /^(?:[\w-]+\.)*localhost\.?$/.test(host);
}

/**
 * Describes where and since when a sandbox runs, so that people recognize it:
 * ` (in /home/ada/app, since 2026-01-15 12:00 UTC)`.
 */
export function placeOf({
  folder,
  started_at,
}: {
  readonly folder: string | null;
  readonly started_at: string;
}): string {
  const since = `since ${started_at.slice(0, 16).replace("T", " ")} UTC`;
  return escaped(folder === null ? ` (${since})` : ` (in ${folder}, ${since})`);
}

/** The link to the page of a sandbox. Browsers send no fragment, so the token in it reaches no log. */
export function portalLink(url: string, token: string | null | undefined, environment = "default"): string {
  const parts = [
    ...(token ? [`token=${encodeURIComponent(token)}`] : []),
    ...(environment === "default" ? [] : [`/${environment}`]),
  ];
  return `${url}/${parts.length === 0 ? "" : `#${parts.join("&")}`}`;
}
