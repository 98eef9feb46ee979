import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { HttpError } from "../errors/http-error.ts";
import { isLoopback } from "../model/origin.ts";

/** Returns true for the addresses of every interface. */
export function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "";
}

/** Formats a host for a URL: IPv6 addresses in brackets. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * Creates the check against DNS rebinding: it rejects unknown and repeated `Host` headers with HttpError, so a page
 * whose name now points to this machine cannot call it. `bound` is the requested address, `allowed` lists further
 * names.
 */
export function createHostCheck(
  bound: string | undefined,
  allowed: readonly string[],
): (request: IncomingMessage) => void {
  const names = new Set([...allowed, ...(bound === undefined ? [] : [bound])].map((name) => name.toLowerCase()));
  // Only names can be rebound; an address in Host was typed on purpose.
  const anyAddress = bound !== undefined && isWildcard(bound);
  let lastAccepted: string | undefined;
  return ({ headers, httpVersionMinor }) => {
    if (headers.host === undefined && httpVersionMinor > 0) {
      throw new HttpError("invalid", { detail: "The request has no Host header." });
    }
    // Nearly every request has the same Host as the previous one.
    if (headers.host === lastAccepted) return;
    // Several headers are joined by commas (RFC 9112, section 3.2).
    if (headers.host?.includes(",")) {
      throw new HttpError("invalid", { detail: "The request has more than one Host header." });
    }
    const host = hostName(headers.host);
    if (host === undefined || isLoopback(host) || names.has(host) || (anyAddress && isIP(host) !== 0)) {
      lastAccepted = headers.host;
      return;
    }
    throw new HttpError("host_not_allowed", {
      detail: "The Host header names a host that this sandbox does not answer to; allow it with --allowed-hosts.",
    });
  };
}

/** Returns the host without port and brackets; undefined without a header. Never throws. */
function hostName(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(header);
  return (bracketed?.[1] ?? header.replace(/:\d*$/, "")).toLowerCase();
}
