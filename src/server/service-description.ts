import { Environment } from "../environment/environment.ts";
import { loadFixture } from "../fixture/load.ts";
import { basePath } from "../model/operations.ts";
import { openApiDocument } from "../openapi/service-document.ts";
import type { OpenApiDocument, Terms } from "../openapi/openapi-types.ts";
import { version } from "../package.ts";
import { exampleDocuments } from "../service/examples.ts";

let last: { readonly terms: string; readonly document: OpenApiDocument } | undefined;

/**
 * Describes the service as OpenAPI. Its examples are documents of the demo fixture, whatever the sandbox serves: anybody may
 * read them.
 */
export async function describeService({ assumptions, rateLimit }: Terms): Promise<OpenApiDocument> {
  const terms = JSON.stringify([assumptions, rateLimit]);
  if (last?.terms === terms) return last.document;
  const examples = exampleDocuments(await openDemo(assumptions), basePath);
  const document = openApiDocument({ assumptions, rateLimit, version, examples });
  last = { terms, document };
  return document;
}

async function openDemo(assumptions: Terms["assumptions"]): Promise<Environment> {
  const dataset = await loadFixture("demo", { investmentStatuses: assumptions["investment.statuses"] });
  return new Environment({
    id: "demo",
    dataset,
    keys: dataset.keys,
    clock: { now: Date.parse(dataset.now), speed: 0 },
    profile: "conventional",
    assumptions,
    rateLimit: 0,
    delay: [0, 0],
    scenarios: [],
    known: [],
    lifetime: Infinity,
    journalCapacity: 0,
  });
}
