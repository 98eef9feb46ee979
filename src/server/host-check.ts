import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { HttpError } from "../errors/http-error.ts";

/** True for the names and addresses that lead back to this machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** True for the addresses that bind every interface. */
export function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "";
}

/** A host as a URL writes it. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * Makes what refuses a request whose `Host` is none of ours, by throwing HttpError, so that a page whose name was rebound
 * to this machine reaches nothing. `bound` is the address that was asked for, `allowed` are further names.
 */
export function createHostCheck(
  bound: string | undefined,
  allowed: readonly string[],
): (request: IncomingMessage) => void {
  const names = new Set([...allowed, ...(bound === undefined ? [] : [bound])].map((name) => name.toLowerCase()));
  // A rebound name is always a name: an address in Host can only be typed by somebody who means this machine.
  const anyAddress = bound !== undefined && isWildcard(bound);
  let lastOurs: string | undefined;
  return ({ headers }) => {
    // Nearly every request has the Host of the one before it.
    if (headers.host === lastOurs) return;
    const host = hostName(headers.host);
    if (host === undefined || isLoopback(host) || names.has(host) || (anyAddress && isIP(host) !== 0)) {
      lastOurs = headers.host;
      return;
    }
    throw new HttpError("host_not_allowed", {
      detail: "The Host header names a host that this sandbox does not answer to; allow it with --allowed-hosts.",
      source: { header: "Host" },
    });
  };
}

/** The name in a `Host` header, without port and brackets; undefined when there is no header. Never throws. */
function hostName(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(header);
  return (bracketed?.[1] ?? header.replace(/:\d*$/, "")).toLowerCase();
}
