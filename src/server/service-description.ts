import { Environment } from "../environment/environment.ts";
import { loadFixture } from "../fixture/load.ts";
import { servedAt } from "../text/origin.ts";
import { openApiDocument } from "../openapi/service-document.ts";
import type { OpenApiDocument, ServiceSettings } from "../openapi/openapi-types.ts";
import type { Examples } from "../openapi/responses.ts";
import { version } from "../package.ts";
import { exampleDocuments, exampleErrors } from "../service/examples.ts";

let last: { readonly key: string; readonly document: OpenApiDocument } | undefined;

/** Describes the service at `origin`. Its examples come from the demo fixture, because anyone may read them. */
export async function describeService(
  { assumptions, rateLimit }: ServiceSettings,
  origin: string,
): Promise<OpenApiDocument> {
  const key = JSON.stringify([assumptions, rateLimit]);
  if (last?.key !== key) {
    const examples = await demoExamples({ assumptions, rateLimit });
    last = { key, document: openApiDocument({ assumptions, rateLimit, version, examples }) };
  }
  return servedAt(origin, last.document);
}

async function demoExamples({ assumptions, rateLimit }: ServiceSettings): Promise<Examples> {
  const dataset = await loadFixture("demo", { investmentStatuses: assumptions["investment.statuses"] });
  const demo = new Environment({
    id: "demo",
    dataset,
    keys: dataset.keys,
    clock: { now: Date.parse(dataset.now), speed: 0 },
    profile: "conventional",
    assumptions,
    rateLimit,
    delay: [0, 0],
    scenarios: [],
    loadedScenarios: [],
    lifetime: Infinity,
  });
  return { documents: exampleDocuments(demo), errors: exampleErrors(demo) };
}
