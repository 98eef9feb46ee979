import type { AssumptionValue } from "../assumptions/catalog.ts";
import { type OrderedError, orderOfErrors } from "../assumptions/precedence.ts";
import { limitRows } from "../environment/view.ts";
import { HttpError, type Problem } from "../errors/http-error.ts";
import { formatCount } from "../text/text.ts";
import type { KeyError } from "../model/error-catalog.ts";
import type { Key } from "../model/resources.ts";
import { capitalized } from "../model/summaries.ts";
import { type Call, parametersOf, subjectId } from "./call.ts";
import { parameterError } from "./parameters.ts";
import { retrySeconds } from "./rate-limit.ts";
import { nearestPath } from "./target.ts";

/** Every reason to refuse a call. Each returns the error to refuse it with, or undefined. */
const checks: Record<OrderedError, (call: Call) => HttpError | undefined> = {
  "401"(call) {
    return call.keyError && unauthorized(call.keyError, call);
  },

  "429"({ retryInMs, environment, ledger, refusingRows }) {
    for (const id of retryInMs === undefined ? (refusingRows ?? []) : limitRows) ledger.value(id);
    if (retryInMs === undefined) return undefined;
    const header = retryAfterHeader(retryInMs, ledger.value("limit.retry_after"));
    const limitText = `more than ${formatCount(environment.rateLimit, "request")} within a minute`;
    const detail = `${capitalized(limitText)}; retry after the time in Retry-After.`;
    const hint = `${limitText} with this key`;
    return new HttpError("rate_limit_exceeded", { detail, hint }, { "Retry-After": header });
  },

  "404-path"({ target, method, ledger }) {
    if (target.route) {
      if (isRead(method) || ledger.value("errors.method") === "405") return undefined;
      return new HttpError("path_not_found", { detail: "Only GET and HEAD exist here.", hint: methodHint(method) });
    }
    const nearest = nearestPath(target.path);
    const [question, hint] =
      nearest === undefined ? ["", ""] : [` Did you mean ${nearest}?`, `, did you mean ${nearest}?`];
    return new HttpError("path_not_found", {
      detail: `There is no such path.${question}`,
      hint: `unknown path${hint}`,
    });
  },

  "405"({ method, ledger }) {
    if (isRead(method) || ledger.value("errors.method") === "404") return undefined;
    const problem = { detail: "Use GET or HEAD.", hint: methodHint(method) };
    return new HttpError("method_not_allowed", problem, { Allow: "GET, HEAD" });
  },

  "403"(call) {
    const { target, key, stateAtInstant } = call;
    if (target.route?.operation.subject !== "offering" || !key) return undefined;
    const { lowerCaseId } = target.route;
    // Upper or lower case matters only for the key's own offering.
    if (lowerCaseId === key.offering_id && subjectId(call) === lowerCaseId) return undefined;
    const hint = stateAtInstant.state.offering(lowerCaseId)
      ? `the key is for the offering ${key.offering_id}`
      : `no offering has this id; that of the key is ${key.offering_id}`;
    return new HttpError("offering_forbidden", { detail: "The key was issued for another offering.", hint });
  },

  "400"(call) {
    const { problems } = parametersOf(call);
    return problems.length > 0 ? parameterError(problems, call.ledger) : undefined;
  },

  "404"(call) {
    const { target, key, stateAtInstant } = call;
    if (target.route?.operation.subject !== "investment" || !key) return undefined;
    const { lowerCaseId } = target.route;
    const offering = stateAtInstant.state.investment(lowerCaseId)?.offering_id;
    const isOwn = offering === key.offering_id;
    if (isOwn && subjectId(call) === lowerCaseId) return undefined;
    const detail = "There is no such investment in the offering that the key was issued for.";
    const hint =
      offering === undefined || isOwn
        ? "no investment has this id now"
        : `the investment is of the offering ${offering}, the key is for ${key.offering_id}`;
    return new HttpError("investment_not_found", { detail, hint });
  },
};

/** Throws the first error of a call in the order of the assumption `precedence`. */
export function check(call: Call): void {
  const order = orderOfErrors(call.ledger.unrecorded("precedence"));
  for (const orderedError of order) {
    const error = checks[orderedError](call);
    if (!error) continue;
    // The later checks run on a copy, because the response must not depend on the assumptions that they read.
    const scratchCall = { ...call, ledger: call.ledger.emptyCopy() };
    const laterErrors = order.slice(order.indexOf(orderedError) + 1);
    if (laterErrors.some((laterError) => checks[laterError](scratchCall) !== undefined))
      call.ledger.value("precedence");
    throw error;
  }
}

function methodHint(method: string): string {
  return `${method} is not served; use GET or HEAD`;
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

const expected = "expected Bearer <API_KEY>";

/** The detail of each 401, and its hint: the error in the header, without a possible key. */
const keyErrors: Readonly<Record<KeyError, readonly [detail: string, hint: (header: string, sent?: Key) => string]>> = {
  key_missing: ["Send the header `Authorization: Bearer <API_KEY>`.", () => `no Authorization header; ${expected}`],
  key_malformed: ["The Authorization header is not of the form `Bearer <API_KEY>`.", hintOfMalformed],
  key_unknown: ["No such key was issued.", hintOfUnknown],
  key_revoked: ["The key was revoked.", (_header, sent) => `the key was revoked at ${sent?.revoke_date}`],
};

function unauthorized(code: KeyError, { ledger, authorization = "", sentKey }: Call): HttpError {
  const [detail, hint] = keyErrors[code];
  const problem: Problem = { detail, hint: hint(authorization.trim(), sentKey), source: { header: "Authorization" } };
  const wwwAuthenticate = ledger.value("errors.www_authenticate");
  return new HttpError(code, problem, wwwAuthenticate === "yes" ? { "WWW-Authenticate": "Bearer" } : {});
}

function hintOfUnknown(header: string): string {
  const kind = /^\S+\s+sandbox_(?:marketing|partner)_/.test(header)
    ? "it looks like the key of another sandbox, or of an environment that was deleted"
    : "it does not look like a sandbox's";
  return `no such key: ${kind}; offering-sandbox keys list shows the valid ones`;
}

/** Known schemes; any other word in their place may be a key. */
const knownScheme = /^(?:basic|bearer|digest|negotiate|oauth|token|apikey|api-key|jwt)$/i;

function hintOfMalformed(header: string): string {
  const [scheme = "", key, more] = header.split(/\s+/);
  if (!knownScheme.test(scheme))
    return `the Authorization header begins with ${key === undefined ? "a key" : "an unknown scheme"}; ${expected}`;
  if (key === undefined) return `the Authorization header has no key after ${scheme}; ${expected}`;
  if (more !== undefined) return `the Authorization header has more than one word after ${scheme}; ${expected}`;
  return `the Authorization header has the scheme ${scheme}; ${expected}`;
}

/** Returns `Retry-After` for a wait in milliseconds: seconds, or an HTTP date. */
function retryAfterHeader(milliseconds: number, form: AssumptionValue<"limit.retry_after">): string {
  const seconds = retrySeconds(milliseconds);
  if (form === "seconds") return String(seconds);
  return new Date(Math.ceil(Date.now() / 1000) * 1000 + seconds * 1000).toUTCString();
}
