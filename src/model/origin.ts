import type { IncomingMessage } from "node:http";

/** Returns the address at which a request reached the server, through a proxy that ends TLS too. */
export function originOf({ headers }: Pick<IncomingMessage, "headers">): string {
  const scheme = headers["x-forwarded-proto"] === "https" ? "https" : "http";
  const { host = "" } = headers;
  const text = /^[\w.:[\]-]+$/.test(host) ? `${scheme}://${host}` : "";
  return URL.canParse(text) ? new URL(text).origin : `${scheme}://localhost`;
}

/** Makes the addresses of an OpenAPI document absolute: most tools make nothing of a relative one in a file. */
export function servedAt<Document extends { readonly servers: readonly { readonly url: string }[] }>(
  origin: string,
  document: Document,
): Document {
  const servers = document.servers.map((server) => ({ ...server, url: new URL(server.url, origin).href }));
  return { ...document, servers };
}
