import type { Requests } from "../../control.ts";
import { ControlError } from "../../errors/control-error.ts";
import { checkMembers } from "../../model/known-members.ts";
import { parseIsoDate } from "../../model/instant.ts";
import type { RequestFilter } from "../../control.ts";
import type { Environment } from "../environment.ts";
import type { Perform } from "./perform.ts";

/** The journal of an environment in this process. */
export function localRequests(environment: Environment, perform: Perform): Requests {
  return {
    list: (filter = {}) => perform(() => environment.stores.journal.list(checked(filter))),
    count: (filter = {}) => perform(() => environment.stores.journal.list(checked(filter)).data.length),
    clear: () => perform(() => environment.stores.journal.clear()),
  };
}

function checked(filter: RequestFilter): RequestFilter {
  checkMembers(filter, { path: true, status: true, key_id: true, since: true, limit: true }, "the filter");
  const { since, limit } = filter;
  if (since !== undefined && !parseIsoDate(since)) {
    throw new ControlError("invalid", "since is an instant such as 2026-01-15T12:00:00.000Z.");
  }
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0)) {
    throw new ControlError("invalid", "limit is a whole number of 0 or more.");
  }
  return filter;
}
