import type { IncomingMessage } from "node:http";

/** Returns the origin a request was sent to, also through a proxy with TLS. */
export function originOf({ headers }: Pick<IncomingMessage, "headers">): string {
  // Each proxy on the way adds a scheme; the first is the client's.
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

/** The link to the page of a sandbox. Browsers send no fragment, so the token in it reaches no log. */
export function portalLink(url: string, token: string | null | undefined, environment = "default"): string {
  const parts = [
    ...(token ? [`token=${encodeURIComponent(token)}`] : []),
    ...(environment === "default" ? [] : [`/${environment}`]),
  ];
  return `${url}/${parts.length === 0 ? "" : `#${parts.join("&")}`}`;
}
