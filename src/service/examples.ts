import type { ExampleCall } from "../public/control.ts";
import { type EnvironmentView, keyStatus } from "../environment/view.ts";
import type { ErrorCode, ServiceErrorCode } from "../model/error-catalog.ts";
import { basePath, type OperationId, operations } from "../model/operations.ts";
import type { InvestmentFields, Key } from "../model/resources.ts";
import { type KeyType, keyTypes } from "../model/vocabulary.ts";
import { Secrets } from "../secrets/secrets.ts";
import { documents } from "./documents.ts";
import { Ledger } from "./ledger.ts";
import { respondUnsent } from "./preview.ts";

/** Documents as they are served, by operation and by type of key. */
type ExampleDocuments = { [Operation in OperationId]?: { [Type in KeyType]?: unknown } };

/** Makes one document for each operation and type of key, of the first offering with investments. */
export function exampleDocuments(environment: EnvironmentView): ExampleDocuments {
  const { assumptions, seed } = environment;
  const { state } = environment.read();
  const offering = environment.offerings.find(({ id }) => state.investmentsOf(id).length > 0);
  if (!offering) return {};
  const { byCreation } = state.investmentsOf(offering.id);
  // Only reading an investment shows whether it is joint, and there may be a hundred thousand.
  const isJoint = ({ id }: InvestmentFields): boolean => (state.investment(id)?.investors.length ?? 0) > 1;
  const investment = byCreation.slice(0, 100).find(isJoint) ?? byCreation[0];
  // A partner key without access to personal data would not show the usual document.
  const typicalKeys = environment.keys.filter(({ type, personal_data }) => type === "marketing" || personal_data);
  const keys = typicalKeys.filter(({ offering_id }) => offering_id === offering.id);
  const examples: ExampleDocuments = {};
  for (const { id, subject } of operations) {
    const values = id === "listInvestments" ? { size: Math.min(2, assumptions["list.max_size"]) } : {};
    const example: { [Type in KeyType]?: unknown } = (examples[id] = {});
    for (const type of keyTypes) {
      const key = keys.find((candidate) => candidate.type === type);
      if (!key) continue;
      const ledger = new Ledger(assumptions);
      const input = { key, offering, state, ledger, seed, values };
      const { bytes } = documents[id](input, (subject === "offering" ? offering.id : investment?.id) ?? "");
      example[type] = JSON.parse(String(bytes));
    }
  }
  return examples;
}

function fail(error: unknown): never {
  throw error;
}

type ExampleRequest = [path: string, authorization?: string, more?: { method?: string; retryAfterSeconds?: number }];

/** Makes the body of each possible error; none if bodies are empty. */
export function exampleErrors(environment: EnvironmentView): { [Code in ErrorCode]?: unknown } {
  const stateAtInstant = environment.read();
  const { keys, offerings } = environment;
  const statusOf = (key: Key) => keyStatus(key, stateAtInstant.now);
  const key = keys.find((candidate) => statusOf(candidate) === "active");
  const revokedKey = keys.find((candidate) => statusOf(candidate) === "revoked");
  const ownPath = `/offerings/${key?.offering_id}`;
  const otherPath = `/offerings/${offerings.find(({ id }) => id !== key?.offering_id)?.id}`;
  const bearer = `Bearer ${key?.key}`;
  const calls: Record<Exclude<ServiceErrorCode, "internal_error">, ExampleRequest> = {
    key_missing: [ownPath],
    key_malformed: [ownPath, "Basic YTpi"],
    key_unknown: [ownPath, "Bearer unknown"],
    key_revoked: [ownPath, `Bearer ${revokedKey?.key}`],
    rate_limit_exceeded: [ownPath, bearer, { retryAfterSeconds: 30 }],
    path_not_found: ["/offering", bearer],
    method_not_allowed: [ownPath, bearer, { method: "POST" }],
    offering_forbidden: [otherPath, bearer],
    parameter_invalid: [`${ownPath}/investments?size=0&create_date[gte]=yesterday`, bearer],
    investment_not_found: [`/investments/${unknownId}`, bearer],
    page_not_found: [`${ownPath}/investments?page=1000`, bearer],
  };
  const options = { assumptionHeader: false, onFailure: fail, secrets: new Secrets() };
  const bodies: { [Code in ErrorCode]?: unknown } = {};
  for (const [path, authorization, more] of Object.values(calls)) {
    const request = { url: basePath + path, authorization, stateAtInstant, ...more };
    const { code, body } = respondUnsent(environment, request, options).response;
    if (code !== undefined && body && body.length > 0) bodies[code] = JSON.parse(String(body));
  }
  return bodies;
}

/** An id that no investment has: derived ids have version 4. */
const unknownId = "00000000-0000-0000-0000-000000000000";

/** Lists calls to try, one for each possible kind of response to the environment's keys. */
export function exampleCalls(environment: EnvironmentView): Omit<ExampleCall, "curl">[] {
  const { now, state } = environment.read();
  const { keys, offerings, rateLimit } = environment;
  const usableKeys = keys.filter((key) => keyStatus(key, now) === "active" && !key.at_limit);
  const offering = offerings.find(({ id }) => state.investmentsOf(id).length > 0) ?? offerings[0];
  if (!offering) return [];
  const usableOf = (type?: KeyType): Key | undefined =>
    usableKeys.find((key) => key.offering_id === offering.id && (type === undefined || key.type === type));
  const { byCreation } = state.investmentsOf(offering.id);
  const investment = byCreation.findLast((candidate) => candidate.status === "CLOSED") ?? byCreation.at(-1);
  const path = investment ? `/investments/${investment.id}` : `/offerings/${offering.id}`;
  const key = usableOf("partner") ?? usableOf();
  const revoked = keys.find((candidate) => keyStatus(candidate, now) === "revoked");
  const limitedKey = rateLimit > 0 ? keys.find((candidate) => candidate.at_limit) : undefined;
  const otherOffering = offerings.find(({ id }) => id !== offering.id);
  const calls: [title: string, status: number, path: string | undefined, key: Key | undefined][] = [
    ["an investment, unredacted", 200, investment && path, usableOf("partner")],
    ["the same, redacted for a Marketing key", 200, investment && path, usableOf("marketing")],
    ["its events", 200, investment && `${path}/events`, key],
    ["the list of investments", 200, `/offerings/${offering.id}/investments?size=5`, key],
    ["a revoked key", 401, path, revoked],
    ["an offering this key is not for", 403, otherOffering && `/offerings/${otherOffering.id}`, key],
    ["an investment that does not exist", 404, `/investments/${unknownId}`, key],
    ["a key at its limit", 429, path, limitedKey],
  ];
  return calls.flatMap(([title, status, callPath, callKey]) =>
    callPath !== undefined && callKey ? [{ title, status, path: callPath, key: callKey.key }] : [],
  );
}
