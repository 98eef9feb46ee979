import type { Request, RequestHandler } from "express";
import { type AdminOperation, environmentPath } from "../control/operation.ts";
import { adminOperations } from "../control/operations.ts";
import { defaultId, type Environments } from "../environment/environments.ts";
import { HttpError } from "../errors/http-error.ts";
import { originOf } from "../text/origin.ts";
import { isMembers } from "../validation/members.ts";
import { isSameToken } from "../secrets/tokens.ts";
import { parametersIn } from "./request.ts";

export interface AdminAccess {
  readonly admin: boolean;
  /** The required token; null requires none. */
  readonly adminToken: string | null;
  /** The token that can only open environments; null for none. */
  readonly openToken: string | null;
  readonly environments: Environments;
}

/**
 * Creates the handler that admits local processes, and callers with the token if one is required. It rejects pages of
 * another origin even with the token, because a browser may send it without its user's intent. `allowsLinks` admits
 * links of any site, for pages without data.
 */
export function guardAdmin(access: AdminAccess, allowsLinks = false): RequestHandler {
  return (request, _response, next) => {
    if (!access.admin) throw new HttpError("admin_disabled", { detail: "The sandbox was started with --no-admin." });
    if (isForeign(request, allowsLinks))
      throw new HttpError("origin_not_allowed", { detail: "Pages of another origin may not call this." });
    grantOf(access, request);
    next();
  };
}

/** The right that a token gives: everything, opening environments, or calls of one environment. */
type Grant = "all" | "open" | NonNullable<ReturnType<Environments["ownerOf"]>>;

export type AdminRequest = Request<{ environment?: string; id?: string }>;

function grantOf({ adminToken, openToken, environments }: AdminAccess, { headers }: Pick<Request, "headers">): Grant {
  if (adminToken === null) return "all";
  const token = tokenIn(headers.authorization);
  if (isSameToken(token, adminToken)) return "all";
  if (openToken !== null && isSameToken(token, openToken)) return "open";
  const environmentGrant = environments.ownerOf(token);
  if (environmentGrant) return environmentGrant;
  const detail = "Send `Authorization: Bearer <admin token>`.";
  throw new HttpError("admin_token_required", { detail }, { "WWW-Authenticate": "Bearer" });
}

/** Returns true if the token of a request is a view token, which only allows calls without changes. */
export function isViewOnly(access: AdminAccess, request: Pick<Request, "headers">): boolean {
  const grant = grantOf(access, request);
  return typeof grant === "object" && grant.right === "view";
}

/** Returns the token in an `Authorization` header; empty without one. */
export function tokenIn(header = ""): string {
  return /^bearer +(\S+)$/i.exec(header)?.[1] ?? "";
}

/**
 * Throws HttpError unless the token of a request allows an operation on the environment of its path. The token of an
 * environment only allows operations on that environment. With a view token, a body may not contain a snapshot, because
 * the token only gives access to what exists.
 */
export function checkGrant(access: AdminAccess, request: AdminRequest, operation: AdminOperation, body?: unknown) {
  const { environment = defaultId } = request.params;
  const hasSnapshot = isMembers(body) && Object.hasOwn(body, "snapshot") && isViewOnly(access, request);
  const detail = hasSnapshot
    ? "This token is only for looking at its environment, whose own journal it may replay: omit the snapshot."
    : grantRefusal(grantOf(access, request), operation, environment, request.url);
  if (detail !== undefined) throw new HttpError("admin_token_insufficient", { detail });
}

function grantRefusal(grant: Grant, operation: AdminOperation, environmentId: string, url: string): string | undefined {
  if (grant === "all") return undefined;
  if (grant === "open") {
    const isOpening = operation === adminOperations.openEnvironment;
    return isOpening ? undefined : "This token is only for opening environments, with POST /__admin/environments.";
  }
  const isOnAll =
    operation.allEnvironmentsParameter !== undefined && parametersIn(url).has(operation.allEnvironmentsParameter);
  const isOwn = operation.path.startsWith(environmentPath) && environmentId === grant.id && !isOnAll;
  if (!isOwn) return `This token is only for calls of its environment, below /__admin/environments/${grant.id}.`;
  if (grant.right === "view" && operation.changes) return "This token is only for looking at its environment.";
  return undefined;
}

/** Returns true for a request of a page of another origin, unless it follows an allowed link. */
function isForeign({ method, headers }: Request, allowsLinks: boolean): boolean {
  const { origin, host, "sec-fetch-site": fetchSite, "sec-fetch-mode": mode } = headers;
  // Behind a proxy that ends TLS, a page of this server has an origin of `https`.
  const isSameOrigin = origin === undefined || origin === `http://${host ?? ""}` || origin === originOf({ headers });
  const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
  // A link from another port of this machine may be followed; a page from there may not read the response.
  const followsLink = mode === "navigate" && (method === "GET" || method === "HEAD");
  const isOwnPage = fetchSite === undefined || fetchSite === "none" || fetchSite === "same-origin";
  const isAllowedSite = isOwnPage || (followsLink && (fetchSite === "same-site" || allowsLinks));
  return !isSameOrigin || isPreflight || !isAllowedSite;
}
