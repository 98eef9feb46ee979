import type { Environment } from "../environment/environment.ts";
import type { OperationId } from "../model/operations.ts";
import { operations } from "../model/operations.ts";
import { keyTypes, type KeyType } from "../model/key-type.ts";
import { answer } from "./answer.ts";
import { Ledger } from "./ledger.ts";
import { route } from "./route.ts";

/** Documents really served, by operation and by the type of key that reads them. */
export type ExampleDocuments = { [Operation in OperationId]?: { [Type in KeyType]?: unknown } };

/** One document an operation and type of key, of the environment's first offering that has investments. */
export function exampleDocuments(environment: Environment, basePath: string): ExampleDocuments {
  const { state } = environment.read();
  const offering = environment.offerings.find(({ id }) => state.investmentsOf(id).items.length > 0);
  if (!offering) return {};
  const { items } = state.investmentsOf(offering.id);
  const investment = items.find(({ investors }) => investors.length > 1) ?? items[0];
  const examples: ExampleDocuments = {};
  for (const { id: operation, path: template, subject } of operations) {
    const path = template.replace(":id", (subject === "offering" ? offering.id : investment?.id) ?? "");
    const documents: { [Type in KeyType]?: unknown } = {};
    for (const type of keyTypes) {
      const key = environment.keys.find((candidate) => candidate.type === type && candidate.offering_id === offering.id);
      if (!key) continue;
      documents[type] = answer(
        {
          method: "GET",
          path,
          query: new URLSearchParams(operation === "listInvestments" ? { size: "2" } : {}),
          route: route(path),
          authentication: { issued: { key, environment } },
          environment,
          ledger: new Ledger(environment.assumptions),
          hints: [],
        },
        basePath,
      );
    }
    examples[operation] = documents;
  }
  return examples;
}
