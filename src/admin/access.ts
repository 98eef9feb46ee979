import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
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
    const { origin, host, authorization } = request.headers;
    const site = request.headers["sec-fetch-site"];
    const own = origin === undefined || origin === `http://${host ?? ""}`;
    if (!own || site === "cross-site" || (site === "same-site" && request.method !== "GET")) {
      throw new HttpError("origin_not_allowed", {
        detail: "Pages of another origin may not call this.",
        source: { header: "Origin" },
      });
    }
    if (token !== null && !matches(authorization, token)) {
      throw new HttpError(
        "admin_token_required",
        { detail: "Send `Authorization: Bearer <admin token>`.", source: { header: "Authorization" } },
        { "WWW-Authenticate": "Bearer" },
      );
    }
    next();
  };
}

/** Compares digests, which are of one length, in constant time. */
function matches(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
