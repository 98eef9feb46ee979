import type { Request, RequestHandler } from "express";
import { createHash, timingSafeEqual } from "node:crypto";
import { HttpError } from "../errors/http-error.ts";

export interface AdminAccess {
  /** False closes the portal and the admin API. */
  readonly open: boolean;
  /** The required token; null requires none. */
  readonly token: string | null;
  /** Whether links of any site may lead here, to pages without data. @default false */
  readonly linked?: boolean;
}

/**
 * Creates the handler that admits local processes, and callers with the token if one is required. It rejects pages of
 * another origin even with the token: a browser may send it without its user's intent.
 */
export function guardAdmin({ open, token, linked = false }: AdminAccess): RequestHandler {
  return (request, _response, next) => {
    if (!open) throw new HttpError("admin_closed", { detail: "The sandbox was started with --no-admin." });
    if (isForeign(request, linked)) {
      throw new HttpError("origin_not_allowed", { detail: "Pages of another origin may not call this." });
    }
    if (token !== null && !isToken(request.headers.authorization, token)) {
      const detail = "Send `Authorization: Bearer <admin token>`.";
      throw new HttpError("admin_token_required", { detail }, { "WWW-Authenticate": "Bearer" });
    }
    next();
  };
}

/** Returns true for a request of a page of another origin, unless it follows an allowed link. */
function isForeign({ method, headers }: Request, linked: boolean): boolean {
  const { origin, host, "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
  const own = origin === undefined || origin === `http://${host ?? ""}`;
  const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
  // A link from another port of this machine may be followed; a page from there may not read the answer.
  const followsLink = mode === "navigate" && (method === "GET" || method === "HEAD");
  const isNear = site === undefined || site === "none" || site === "same-origin";
  const isOurs = isNear || (followsLink && (site === "same-site" || linked));
  return !own || isPreflight || !isOurs;
}

/** Compares in constant time; digests have the same length. */
function isToken(authorization: string | undefined, token: string): boolean {
  const candidate = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(candidate), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
