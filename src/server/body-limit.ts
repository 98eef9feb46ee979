import type { Request, Response } from "express";
import { HttpError } from "../errors/http-error.ts";

/** The largest request body, in bytes. */
const largestBody = 5 * 1024 * 1024;

/**
 * Refuses bodies that say they are too large, by throwing HttpError, and reads none of those that do not say: after the
 * answer to a request with a body the connection ends, so that nobody can go on sending. A snapshot may be larger: the
 * admin API bounds it itself.
 */
export function limitBody(request: Request, response: Response): void {
  const declared = Number(request.headers["content-length"] ?? 0);
  const hasBody = declared > 0 || request.headers["transfer-encoding"] !== undefined;
  if (hasBody) response.setHeader("Connection", "close");
  if (declared <= largestBody || request.path.endsWith("/snapshot")) return;
  throw new HttpError("body_too_large", { detail: "A request body may have 5 MB." });
}
