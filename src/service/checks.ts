import type { StateView } from "../environment/view.ts";
import { HttpError } from "../errors/http-error.ts";
import { type Call, parametersOf, unauthorized } from "./call.ts";
import { Ledger } from "./ledger.ts";
import { retryAfter } from "./rate-limit.ts";
import { nearestPath } from "./target.ts";

/** Every reason to refuse a request; the first that applies is the answer. This order is the assumption `precedence`. */
export const precedence = ["key", "limit", "path", "method", "scope", "parameters", "investment"] as const;

export type Check = (typeof precedence)[number];

const checks: Record<Check, (call: Call, ledger: Ledger, state: StateView) => HttpError | undefined> = {
  key({ authentication }, ledger) {
    if ("issued" in authentication) return undefined;
    return unauthorized(authentication.refused, ledger.value("errors.www_authenticate"));
  },

  limit({ retryIn, environment }, ledger) {
    if (retryIn === undefined) return undefined;
    for (const id of ["limit.window", "limit.counts"] as const) ledger.value(id);
    const header = retryAfter(retryIn, ledger.value("limit.retry_after"));
    const detail = `More than ${environment.rateLimit} requests within a minute; Retry-After says when to go on.`;
    return new HttpError("rate_limit_exceeded", { detail }, { "Retry-After": header });
  },

  path(call, ledger) {
    const { target, method } = call;
    if (target.route) {
      if (isRead(method) || ledger.value("errors.method") === "405") return undefined;
      return new HttpError("path_not_found", { detail: "Only GET and HEAD exist here." });
    }
    const near = nearestPath(target.path);
    if (near !== undefined) call.hints = [...call.hints, `unknown path, did you mean ${near}?`];
    return new HttpError("path_not_found", {
      detail: `There is no such path.${near === undefined ? "" : ` Did you mean ${near}?`}`,
    });
  },

  method({ method }, ledger) {
    if (isRead(method) || ledger.value("errors.method") === "404") return undefined;
    return new HttpError("method_not_allowed", { detail: "Use GET or HEAD." }, { Allow: "GET, HEAD" });
  },

  scope(call, ledger) {
    const { target, authentication } = call;
    if (target.route?.operation.subject !== "offering" || !("issued" in authentication)) return undefined;
    if (subjectId(call, ledger) === authentication.issued.key.offering_id) return undefined;
    return new HttpError("offering_forbidden", { detail: "The key was issued for another offering." });
  },

  parameters(call, ledger) {
    const { problems } = parametersOf(call, ledger);
    return problems.length > 0 ? new HttpError("parameter_invalid", problems) : undefined;
  },

  investment(call, ledger, state) {
    const { target, authentication } = call;
    if (target.route?.operation.subject !== "investment" || !("issued" in authentication)) return undefined;
    const investment = state.investment(subjectId(call, ledger));
    if (investment?.offering_id === authentication.issued.key.offering_id) return undefined;
    return new HttpError("investment_not_found", {
      detail: "There is no such investment in the offering that the key was issued for.",
    });
  },
};

const reasons = precedence.map((name) => checks[name]);

/** Throws the error that answers this call, if any does, at the state of its instant. */
export function check(call: Call, state: StateView): void {
  for (const reason of reasons) {
    const error = reason(call, call.ledger, state);
    if (!error) continue;
    const aside: Call = { ...call };
    const contested = reasons
      .slice(reasons.indexOf(reason) + 1)
      .some((later) => later(aside, new Ledger(call.environment.assumptions), state) !== undefined);
    if (contested) call.ledger.value("precedence");
    throw error;
  }
}

/** The id in the path, in the case in which resources bear it. */
export function subjectId({ target: { route } }: Call, ledger: Ledger): string {
  if (!route) return "";
  const { id, lowerCaseId } = route;
  return id === lowerCaseId || ledger.value("ids.case") === "exact" ? id : lowerCaseId;
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
