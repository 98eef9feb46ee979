import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { ServerDescription } from "../public/descriptions.ts";
import { escaped } from "./text.ts";

/** Returns the origin that the client sent a request to, even if a proxy ends TLS on the way. */
export function originOf({ headers }: Pick<IncomingMessage, "headers">): string {
  // Each proxy adds a scheme; the first scheme is the client's.
  const scheme = /^\s*https\s*(?:,|$)/i.test(String(headers["x-forwarded-proto"])) ? "https" : "http";
  const { host = "" } = headers;
  const text = /^[\w.:[\]-]+$/.test(host) ? `${scheme}://${host}` : "";
  return URL.canParse(text) ? new URL(text).origin : `${scheme}://localhost`;
}

/** The headers of a browser that name the page which sends a request, and the host that gets it. */
type OriginHeaders = Pick<IncomingMessage["headers"], "origin" | "host" | "sec-fetch-site">;

/**
 * Returns true for a request of a page of another origin, by its `Origin` or `Sec-Fetch-Site`; false for a tool, which
 * sends neither. Compares hosts and ports only: a proxy that ends TLS hides the scheme.
 */
export function isOfOtherOrigin({ origin, host, "sec-fetch-site": site = "none" }: OriginHeaders): boolean {
  const isOwn = origin === undefined || (hostIn(origin) !== "" && hostIn(origin) === hostIn(`http://${host}`));
  return !isOwn || (site !== "same-origin" && site !== "none");
}

/** Returns the host and port of a URL, without the default port of its scheme; empty for any other string. */
function hostIn(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/:(?:80|443)$/, "") : "";
}

/** Makes the addresses of the servers in an OpenAPI document absolute, because most tools need them so. */
export function servedAt<Document extends { readonly servers: readonly { readonly url: string }[] }>(
  origin: string,
  document: Document,
): Document {
  const servers = document.servers.map((server) => ({ ...server, url: origin + new URL(server.url, origin).pathname }));
  return { ...document, servers };
}

/** Returns true for names and addresses of this machine. An IPv6 address may be in brackets, as in a URL. */
export function isLoopback(name: string): boolean {
  const host = name.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0) return host === "::1" || /^(?:127\.|::ffff:(?:127\.|7f..:))/i.test(host);
  // A name may end in a dot.
  return /^(?:[\w-]+\.)*localhost\.?$/.test(host);
}

/** Formats where and since when a sandbox runs, for people: ` (in /home/ada/app, since 2026-01-15 12:00 UTC)`. */
export function formatPlace({ folder, started_at }: Pick<ServerDescription, "folder" | "started_at">): string {
  const since = `since ${started_at.slice(0, 16).replace("T", " ")} UTC`;
  return escaped(folder === null ? ` (${since})` : ` (in ${folder}, ${since})`);
}

/** Returns the link to the portal. Browsers do not send the fragment of a URL, so the token in it reaches no log. */
export function portalLink(url: string, token: string | null | undefined, environment = "default"): string {
  const parts = [
    ...(token ? [`token=${encodeURIComponent(token)}`] : []),
    ...(environment === "default" ? [] : [`/${environment}`]),
  ];
  return `${url}/${parts.length === 0 ? "" : `#${parts.join("&")}`}`;
}
