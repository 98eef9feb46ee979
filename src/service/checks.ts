import { HttpError } from "../errors/http-error.ts";
import { type Call, parametersOf, subjectId, unauthorized } from "./call.ts";
import { Ledger } from "./ledger.ts";
import { parameterError } from "./parameters.ts";
import { limitRows, retryAfter } from "./rate-limit.ts";
import { nearestPath } from "./target.ts";

/** Every reason to refuse a call; the first that applies is the answer. This order is the assumption `precedence`. */
export const precedence = ["key", "limit", "path", "method", "scope", "parameters", "investment"] as const;

export type Check = (typeof precedence)[number];

/** Each returns the error to refuse a call with, or undefined. */
const checks: Record<Check, (call: Call) => HttpError | undefined> = {
  key(call) {
    return call.keyError && unauthorized(call.keyError, call);
  },

  limit({ retryIn, environment, ledger }) {
    if (retryIn === undefined) return undefined;
    for (const id of limitRows) ledger.value(id);
    const header = retryAfter(retryIn, ledger.value("limit.retry_after"));
    const detail = `More than ${environment.rateLimit} requests within a minute; retry after the time in Retry-After.`;
    const hint = `more than ${environment.rateLimit} requests within a minute with this key`;
    return new HttpError("rate_limit_exceeded", { detail, hint }, { "Retry-After": header });
  },

  path({ target, method, ledger }) {
    if (target.route) {
      if (isRead(method) || ledger.value("errors.method") === "405") return undefined;
      return new HttpError("path_not_found", { detail: "Only GET and HEAD exist here.", hint: methodHint(method) });
    }
    const near = nearestPath(target.path);
    const [meant, hint] = near === undefined ? ["", ""] : [` Did you mean ${near}?`, `, did you mean ${near}?`];
    return new HttpError("path_not_found", { detail: `There is no such path.${meant}`, hint: `unknown path${hint}` });
  },

  method({ method, ledger }) {
    if (isRead(method) || ledger.value("errors.method") === "404") return undefined;
    const problem = { detail: "Use GET or HEAD.", hint: methodHint(method) };
    return new HttpError("method_not_allowed", problem, { Allow: "GET, HEAD" });
  },

  scope(call) {
    const { target, key, reading } = call;
    if (target.route?.operation.subject !== "offering" || !key) return undefined;
    const id = subjectId(call);
    if (id === key.offering_id) return undefined;
    const hint = reading.state.offering(id)
      ? `the key is for the offering ${key.offering_id}`
      : `no offering has this id; that of the key is ${key.offering_id}`;
    return new HttpError("offering_forbidden", { detail: "The key was issued for another offering.", hint });
  },

  parameters(call) {
    const { problems } = parametersOf(call);
    return problems.length > 0 ? parameterError(problems, call.ledger) : undefined;
  },

  investment(call) {
    const { target, key, reading } = call;
    if (target.route?.operation.subject !== "investment" || !key) return undefined;
    const offering = reading.state.investment(subjectId(call))?.offering_id;
    if (offering === key.offering_id) return undefined;
    const detail = "There is no such investment in the offering that the key was issued for.";
    const hint =
      offering === undefined
        ? "no investment has this id now"
        : `the investment is of the offering ${offering}, the key is for ${key.offering_id}`;
    return new HttpError("investment_not_found", { detail, hint });
  },
};

const inOrder = precedence.map((name) => checks[name]);

/** Throws the error that refuses a call, if any check returns one. */
export function check(call: Call): void {
  for (const reason of inOrder) {
    const error = reason(call);
    if (!error) continue;
    // A copy, so that the answer does not rest on the assumptions of checks that do not decide it.
    const aside = { ...call, ledger: new Ledger(call.environment.assumptions) };
    const lower = inOrder.slice(inOrder.indexOf(reason) + 1);
    if (lower.some((later) => later(aside) !== undefined)) call.ledger.value("precedence");
    throw error;
  }
}

function methodHint(method: string): string {
  return `${method} is not served; use GET or HEAD`;
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
