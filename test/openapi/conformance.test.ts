import { assert, jsonValue, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import type { Assumptions } from "../../src/assumptions/catalog.ts";
import { keyTypes, type KeyType } from "../../src/model/vocabulary.ts";
import { operations, type Operation } from "../../src/model/operations.ts";
import type { OpenApiDocument, ResponseObject } from "../../src/openapi/openapi-types.ts";
import { deviationsIn } from "../support/conformance.ts";
import { valueDeviations } from "../support/body-deviations.ts";
import { describedRequest, describedResponse, type Exchange } from "../support/exchange.ts";
import { closedDocument, known, openSandbox, type RequestOptions } from "../support/sandbox.ts";
import { withOtherType, withoutMember, withStrayMember, type Mutation } from "./mutations.ts";

/** Sends a request to a new sandbox with the known fixture. */
async function served(
  path: string,
  ask: RequestOptions = {},
  assumptions: Partial<Assumptions> = {},
): Promise<Exchange> {
  const options = { rateLimit: 120, assumptions };
  const sandbox = await openSandbox(options);
  const document = closedDocument(options);
  const { status, headers, text: body } = await sandbox.raw(`/api/v1${path}`, ask);
  return { document, method: ask.method ?? "GET", path, status, headers, body };
}

const servedOnce = new Map<string, Promise<Exchange>>();

/** Returns the response of an operation; all tests share one request. */
async function servedDocument({ path, subject }: Operation, keyType: KeyType): Promise<Exchange> {
  const id = subject === "offering" ? known.aurora : known.whole;
  // Each mutation validates the whole body: twenty investments would cost sixteen times as much as five.
  const target = path.replace(":id", id) + (path.endsWith(":id/investments") ? "?size=5" : "");
  const exchange = servedOnce.get(path + keyType) ?? served(target, { key: known.keys[keyType] });
  servedOnce.set(path + keyType, exchange);
  return { ...(await exchange), keyType };
}

/** Returns the places of mutations that the validation accepts. */
function unnoticed(exchange: Exchange, mutate: (body: unknown) => Iterable<Mutation>): string[] {
  const { document, status, keyType } = exchange;
  const { content = {} } = describedResponse(document, describedRequest(exchange).responses, status) ?? {};
  const [described] = Object.values(content);
  const body: unknown = JSON.parse(exchange.body);
  const unseen: string[] = [];
  for (const { at } of mutate(body)) {
    if (!described || valueDeviations(document, described.schema, body, keyType).length === 0) unseen.push(at);
  }
  return unseen;
}

const documents = operations.flatMap((operation) =>
  keyTypes.map((keyType) => ({ id: operation.id, operation, keyType })),
);

describe.each(documents)("the document of $id for a $keyType key", ({ operation, keyType }) => {
  test("conforms when served", async () => {
    expect(deviationsIn(await servedDocument(operation, keyType))).toEqual([]);
  });

  test("does not conform when a required member is missing (2.2, 2.3)", async () => {
    const missing = unnoticed(await servedDocument(operation, keyType), withoutMember);
    const optional = keyType === "marketing" ? /_name$/ : /_name$|birthdate$/;
    expect(missing.filter((at) => !optional.test(at))).toEqual([]);
  });

  test("does not conform with a member of another type", async () => {
    expect(unnoticed(await servedDocument(operation, keyType), withOtherType)).toEqual([]);
  });

  test("does not conform with a stray member", async () => {
    const exchange = await servedDocument(operation, keyType);
    const name = string().filter((text) => !/^(first_name|middle_name|last_name|birthdate|__proto__)$/.test(text));
    assert(
      property(name, jsonValue(), (stray, content) => {
        expect(unnoticed(exchange, (body) => withStrayMember(body, stray, content))).toEqual([]);
      }),
      { numRuns: 5 },
    );
  });
});

const investment = `/investments/${known.whole}`;

test("a Marketing document does not conform for a Partner key, nor the reverse", async () => {
  const marketing = await served(investment, { key: known.keys.marketing });
  const partner = await served(investment);
  expect(deviationsIn(marketing)).toEqual([]);
  expect(deviationsIn({ ...marketing, keyType: "partner" })).not.toEqual([]);
  expect(deviationsIn({ ...partner, keyType: "marketing" })).not.toEqual([]);
});

describe("a Partner key without granted access to personal data", () => {
  const onRequest = { "auth.partner_data": "on-request", "list.included": "yes" } as const;
  const key = known.keys.ungranted;

  test.each([investment, `/offerings/${known.aurora}/investments`])("has its own documents: %s", async (path) => {
    const exchange = { ...(await served(path, { key }, onRequest)), keyType: "partner" } as const;
    expect(deviationsIn(exchange)).toEqual([]);
    expect(deviationsIn({ ...exchange, keyType: "marketing" })).not.toEqual([]);
    const revealing = exchange.body.replace('"tax_id":"[[redacted]]"', '"tax_id":"666-12-3456"');
    expect(deviationsIn({ ...exchange, body: revealing })).not.toEqual([]);
  });

  test("has no documents where every Partner key has access", async () => {
    const { body } = await served(investment, { key }, onRequest);
    expect(deviationsIn({ ...(await served(investment)), body, keyType: "partner" })).not.toEqual([]);
  });
});

test("another status, body or header does not conform", async () => {
  const exchange = await served(investment);
  for (const [changes, message] of [
    [{ status: 418 }, "the status 418 is not one of 200, 401, 404, 429"],
    [{ path: "/nowhere" }, "the status 200 is not one of 204, 401, "],
    [{ method: "POST" }, "the status 200 is not one of 204, 401, "],
    [{ method: "HEAD" }, "the response to HEAD has a body"],
    [{ body: '{"data":' }, "the body is no JSON"],
  ] as const)
    expect(deviationsIn({ ...exchange, ...changes })[0]).toContain(message);
  for (const [changes, message] of [
    [{ "content-type": "application/json" }, "the Content-Type is"],
    [{ "sandbox-version": undefined }, "the header Sandbox-Version is missing"],
    [{ etag: '"1"' }, "the header etag is not described"],
    [{ "sandbox-assumptions": "list.order" }, "names list.order"],
    [{ "sandbox-assumptions": "cors,precedence" }, "the header Sandbox-Assumptions"],
  ] as const)
    expect(deviationsIn({ ...exchange, headers: { ...exchange.headers, ...changes } })[0]).toContain(message);
  const refused = await served(investment, { key: null });
  expect(deviationsIn(refused)).toEqual([]);
  const headers = { ...refused.headers, "www-authenticate": undefined };
  expect(deviationsIn({ ...refused, headers })).toEqual(["the header WWW-Authenticate is missing"]);
  const body = refused.body.replace("key_missing", "investment_not_found");
  expect(deviationsIn({ ...refused, body })[0]).toContain("/errors/0/code");
});

test.each(["resource", "flat"])(
  "the public document admits a status set by a scenario (status.document=%s), the closed one does not",
  async (shape) => {
    const options = { assumptions: { "status.document": shape } };
    const { sandbox, raw, api } = await openSandbox(options);
    const document = (await raw("/openapi.json")).json as OpenApiDocument;
    await sandbox.play({ investment: known.whole, steps: [{ investment: { status: "REJECTED", step: "LEGAL" } }] });
    for (const path of [investment, `${investment}/status`, `${investment}/events`]) {
      const { json } = await raw(`/api/v1${path}`);
      const responses = document.paths[path.replace(known.whole, "{id}")]?.get.responses ?? {};
      const { content = {} } = responses["200"] as ResponseObject;
      const { schema } = content["application/json"] ?? {};
      if (!schema) throw new Error("the document describes no body");
      expect(valueDeviations(document, schema, json, "partner")).toEqual([]);
      await expect(api(path)).rejects.toThrow('status is "REJECTED"');
    }
  },
);
