import type { Environment } from "../environment/environment.ts";
import { keyTypes, type KeyType } from "../model/key-type.ts";
import { operations, type OperationId } from "../model/operations.ts";
import type { InvestmentHead, Key } from "../model/resources.ts";
import { answer } from "./answer.ts";
import { Ledger } from "./ledger.ts";
import { readTarget } from "./target.ts";

/** Documents really served, by operation and by the type of key that reads them. */
export type ExampleDocuments = { [Operation in OperationId]?: { [Type in KeyType]?: unknown } };

/** One document an operation and type of key, of the environment's first offering that has investments. */
export function exampleDocuments(environment: Environment, basePath: string): ExampleDocuments {
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

function documentFor(key: Key, path: string, environment: Environment, basePath: string): unknown {
  const { bytes } = answer(
    {
      method: "GET",
      target: readTarget(basePath + path, basePath),
      authentication: { issued: { key, status: "active", environment } },
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
