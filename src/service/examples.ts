import type { ExampleCall } from "../control.ts";
import { type EnvironmentView, keyStatus } from "../environment/view.ts";
import { type OperationId, operations } from "../model/operations.ts";
import type { InvestmentHead, Key } from "../model/resources.ts";
import { type KeyType, keyTypes } from "../model/vocabulary.ts";
import { answer } from "./answer.ts";
import { Ledger } from "./ledger.ts";
import { readTarget } from "./target.ts";

/** Documents really served, by operation and by the type of key that reads them. */
type ExampleDocuments = { [Operation in OperationId]?: { [Type in KeyType]?: unknown } };

/** One document an operation and type of key, of the environment's first offering that has investments. */
export function exampleDocuments(environment: EnvironmentView, basePath: string): ExampleDocuments {
  const { state } = environment.read();
  const offering = environment.offerings.find(({ id }) => state.investmentsOf(id).length > 0);
  if (!offering) return {};
  const { items } = state.investmentsOf(offering.id);
  // Which of them are joint shows only when they are read: of a hundred thousand, not all can be.
  const isJoint = ({ id }: InvestmentHead): boolean => (state.investment(id)?.investors.length ?? 0) > 1;
  const investment = items.slice(0, 100).find(isJoint) ?? items[0];
  const keys = environment.keys.filter(({ offering_id }) => offering_id === offering.id);
  const size = Math.min(2, environment.assumptions["list.max_size"]);
  const examples: ExampleDocuments = {};
  for (const { id, path, subject } of operations) {
    const subjectPath = path.replace(":id", (subject === "offering" ? offering.id : investment?.id) ?? "");
    const asked = id === "listInvestments" ? `${subjectPath}?size=${size}` : subjectPath;
    const documents: { [Type in KeyType]?: unknown } = {};
    for (const type of keyTypes) {
      // A partner key without access to personal data would show what a partner usually does not see.
      const key = keys.find(
        (candidate) => candidate.type === type && (type === "marketing" || candidate.personal_data),
      );
      if (key) documents[type] = documentFor(key, asked, environment, basePath);
    }
    examples[id] = documents;
  }
  return examples;
}

function documentFor(key: Key, path: string, environment: EnvironmentView, basePath: string): unknown {
  const { bytes } = answer(
    {
      method: "GET",
      target: readTarget(basePath + path, basePath),
      authentication: { issued: { key, status: "active", environment, reading: environment.read() } },
      environment,
      ledger: new Ledger(environment.assumptions),
      hints: [],
      start: 0,
      printed: path,
    },
    basePath,
  );
  return JSON.parse(String(bytes));
}

/** An id that no fixture's investment bears: ids are derived as version 4. */
const unknownId = "00000000-0000-0000-0000-000000000000";

/** Calls to try, one for each kind of answer that the environment's keys can produce, and only those. */
export function exampleCalls(environment: EnvironmentView): Omit<ExampleCall, "curl">[] {
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
