import type { Request, RequestHandler } from "express";
import { createHash, timingSafeEqual } from "node:crypto";
import { HttpError } from "../errors/http-error.ts";

/** Who may see `/` and call `/__admin`. */
export interface AdminAccess {
  /** False closes both. */
  readonly open: boolean;
  /** The token to ask for; null asks for none. */
  readonly token: string | null;
}

/**
 * Lets local processes in, and whoever has the token where there is one. Pages of another origin are refused whatever
 * they bring: a browser sends along what its user may not mean.
 */
export function guardAdmin({ open, token }: AdminAccess): RequestHandler {
  return (request, _response, next) => {
    if (!open) {
      throw new HttpError("admin_closed", { detail: "The sandbox was started with --no-admin." });
    }
    if (isForeign(request)) {
      throw new HttpError("origin_not_allowed", {
        detail: "Pages of another origin may not call this.",
        source: { header: "Origin" },
      });
    }
    if (token !== null && !matches(request.headers.authorization, token)) {
      throw new HttpError(
        "admin_token_required",
        { detail: "Send `Authorization: Bearer <admin token>`.", source: { header: "Authorization" } },
        { "WWW-Authenticate": "Bearer" },
      );
    }
    next();
  };
}

/** Whether a page of another origin asks, or a browser on its behalf. */
function isForeign({ method, headers }: Request): boolean {
  const { origin, host, "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
  const own = origin === undefined || origin === `http://${host ?? ""}`;
  const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
  // A person may follow a link from another port of this machine; a page of it may not look inside.
  const followsLink = mode === "navigate" && (method === "GET" || method === "HEAD");
  return !own || isPreflight || site === "cross-site" || (site === "same-site" && !followsLink);
}

/** Compares digests, which are of one length, in constant time. */
function matches(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
