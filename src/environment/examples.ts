import type { ExampleCall } from "../control.ts";
import type { Key } from "../model/resources.ts";
import type { Environment } from "./environment.ts";
import { keyStatus } from "./key-status.ts";

/** An id that no fixture's investment bears: ids are derived as version 4. */
const unknownId = "00000000-0000-0000-0000-000000000000";

/** Calls to try, one for each kind of answer that the environment's keys can produce, and only those. */
export function exampleCalls(environment: Environment): Omit<ExampleCall, "curl">[] {
  const { now, state } = environment.read();
  const { keys, offerings } = environment;
  const usable = keys.filter((key) => keyStatus(key, now) === "active" && !key.at_limit);
  const offering = offerings.find(({ id }) => state.investmentsOf(id).length > 0) ?? offerings[0];
  if (!offering) return [];
  const of = (candidates: readonly Key[], type?: Key["type"]): Key | undefined =>
    candidates.find((key) => key.offering_id === offering.id && (type === undefined || key.type === type));
  const { items } = state.investmentsOf(offering.id);
  const investment = items.findLast((candidate) => candidate.status === "CLOSED") ?? items.at(-1);
  const path = investment ? `/investments/${investment.id}` : `/offerings/${offering.id}`;
  const key = of(usable, "partner") ?? of(usable);
  const other = offerings.find(({ id }) => id !== offering.id);
  const calls: [title: string, status: number, path: string | undefined, key: Key | undefined][] = [
    ["an investment, whole", 200, investment && path, of(usable, "partner")],
    ["the same, redacted for a Marketing key", 200, investment && path, of(usable, "marketing")],
    ["its events", 200, investment && `${path}/events`, key],
    ["the list of investments", 200, `/offerings/${offering.id}/investments?size=5`, key],
    ["a revoked key", 401, path, keys.find((candidate) => keyStatus(candidate, now) === "revoked")],
    ["another offering than the key's", 403, other && `/offerings/${other.id}`, key],
    ["an investment that does not exist", 404, `/investments/${unknownId}`, key],
    [
      "a key at its limit",
      429,
      path,
      environment.rateLimit > 0 ? keys.find((candidate) => candidate.at_limit) : undefined,
    ],
  ];
  return calls.flatMap(([title, status, callPath, callKey]) =>
    callPath !== undefined && callKey ? [{ title, status, path: callPath, key: callKey.key }] : [],
  );
}
