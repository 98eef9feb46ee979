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
  const { path, status, key_id, since, limit } = filter;
  for (const [name, text] of Object.entries({ path, key_id, since })) {
    if (text !== undefined && typeof text !== "string") throw new ControlError("invalid", `${name} is a text.`);
  }
  if (status !== undefined && !Number.isInteger(status)) {
    throw new ControlError("invalid", "status is a whole number, such as 404.");
  }
  if (since !== undefined && !parseIsoDate(since)) {
    throw new ControlError("invalid", "since is an instant such as 2026-01-15T12:00:00.000Z.");
  }
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0)) {
    throw new ControlError("invalid", "limit is a whole number of 0 or more.");
  }
  return filter;
}
