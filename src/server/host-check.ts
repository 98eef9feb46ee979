import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { HttpError } from "../errors/http-error.ts";
import { isLoopback, isOfOtherOrigin } from "../text/origin.ts";

/** Returns true for the addresses of every interface. */
export function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "";
}

export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * Creates the check against DNS rebinding: it rejects unknown and repeated `Host` headers, so a page whose name now
 * points to this machine cannot call it. `bound` is the requested address, `allowed` lists further names.
 */
export function createHostCheck(bound: string | undefined, allowed: readonly string[]) {
  const names = new Set([...allowed, ...(bound === undefined ? [] : [bound])].map((name) => name.toLowerCase()));
  // Only names can be rebound; an address in Host was typed on purpose.
  const anyAddress = bound !== undefined && isWildcard(bound);
  let lastAccepted: string | undefined;
  return ({ headers, httpVersionMinor }: IncomingMessage): void => {
    if (headers.host === undefined && httpVersionMinor > 0)
      throw new HttpError("invalid", { detail: "The request has no Host header." });
    // Nearly every request has the same Host as the previous one.
    if (headers.host === lastAccepted) return;
    // Several headers are joined by commas (RFC 9112, section 3.2).
    if (headers.host?.includes(","))
      throw new HttpError("invalid", { detail: "The request has more than one Host header." });
    const host = hostName(headers.host);
    if (host === undefined || isLoopback(host) || names.has(host) || (anyAddress && isIP(host) !== 0)) {
      lastAccepted = headers.host;
      return;
    }
    throw new HttpError("host_not_allowed", {
      detail: "The Host header names a host that this sandbox does not respond to; allow it with --allowed-hosts.",
    });
  };
}

/** Returns the host without port and brackets; undefined without a header. Never throws. */
function hostName(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(header);
  return (bracketed?.[1] ?? header.replace(/:\d*$/, "")).toLowerCase();
}

/** The names of a server of pages, as Vite takes them. */
export interface HostOptions {
  /** `true` allows every name; ".example.com" also allows the names below it. */
  readonly allowedHosts?: true | readonly string[] | undefined;
  readonly host?: string | boolean | undefined;
}

/**
 * Returns why a server of pages may not add a key to a request; undefined for its own page and for tools on this
 * machine. The service allows every origin because a page needs a key: a server that adds one has to refuse other
 * pages.
 */
export function whyForeign({ headers, socket }: IncomingMessage, hosts: HostOptions): string | undefined {
  const { authorization, ":authority": authority, host = authority?.toString() } = headers;
  // A page whose name was rebound to this machine has no certificate for it.
  if (!("encrypted" in socket) && !isPageHost(host, hosts))
    return "The Host header has no name of this server; allow it with allowedHosts in the config of Vite.";
  if (authorization !== undefined || !isOfOtherOrigin({ ...headers, host })) return undefined;
  return "The request comes from a page of another origin; the key of the sandbox is added only for the page itself.";
}

/** Returns true if a `Host` header is an address, or a name of a server of pages. */
function isPageHost(header: string | undefined, { allowedHosts = [], host }: HostOptions): boolean {
  // A name may end in a dot.
  const name = hostName(header)?.replace(/\.$/, "") ?? "";
  if (allowedHosts === true || isLoopback(name) || isIP(name) !== 0 || name === host) return true;
  const isName = (allowed: string) => allowed === name || (allowed.startsWith(".") && `.${name}`.endsWith(allowed));
  return allowedHosts.some((allowed) => isName(allowed.toLowerCase()));
}
