import { isIP } from "node:net";
import type { RequestHandler } from "express";
import { HttpError } from "../errors/http-error.ts";
import { isLoopback, isWildcard } from "./addresses.ts";

/**
 * Refuses requests whose `Host` is none of ours, so that a page whose name was rebound to this machine reaches nothing.
 * `bound` is the address that was asked for, `allowed` are further names.
 */
export function checkHost(bound: string | undefined, allowed: readonly string[]): RequestHandler {
  const names = new Set([...allowed, ...(bound === undefined ? [] : [bound])].map((name) => name.toLowerCase()));
  // A rebound name is always a name: an address in Host can only be typed by somebody who means this machine.
  const anyAddress = bound !== undefined && isWildcard(bound);
  return (request, _response, next) => {
    const host = hostName(request.headers.host);
    if (host === undefined || isLoopback(host) || names.has(host) || (anyAddress && isIP(host) !== 0)) return next();
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
