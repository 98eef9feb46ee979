import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { type Assumptions, catalog, assume, profileNames } from "../../src/assumptions/catalog.ts";
import { formOf, type Row } from "../../src/assumptions/row.ts";
import { serviceErrorCatalog } from "../../src/model/error-catalog.ts";
import { serviceErrors } from "../../src/openapi/responses.ts";
import { closedUnder, otherErrors } from "../support/closed-document.ts";
import { danglingRefs, unusedComponents } from "../support/components.ts";
import { operations } from "../../src/model/operations.ts";
import { openApiDocument } from "../../src/openapi/service-document.ts";
import type { OpenApiDocument } from "../../src/openapi/openapi-types.ts";

function documentUnder(assumptions: Assumptions, rateLimit = 120): OpenApiDocument {
  return openApiDocument({ assumptions, rateLimit, version: "0.0.0" });
}

const validator = new Validator();

async function expectValid(document: OpenApiDocument): Promise<void> {
  const { errors } = await validator.validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
  expect(errors).toBeUndefined();
  expect(danglingRefs(document)).toEqual([]);
}

/** One value of each kind that a row accepts. */
function valuesOf({ values, accepts }: Row): (string | number)[] {
  const listedValues = Object.keys(values);
  if (typeof accepts === "object") return [...listedValues, accepts.from, accepts.to];
  return accepts ? [...listedValues, formOf(accepts).example] : listedValues;
}

describe.each(profileNames)("under the profile %s", (profile) => {
  test("the document is valid", async () => {
    await expectValid(documentUnder(assume(profile)));
    await expectValid(documentUnder(assume(profile), 0));
    await expectValid(closedUnder({ assumptions: assume(profile), rateLimit: 120 }));
  });

  test("every component is referenced", () => {
    const document = documentUnder(assume(profile));
    expect(unusedComponents(document)).toEqual([]);
    const { schemas } = document.components;
    for (const name of ["MethodNotAllowedError", "PathNotFoundError"]) expect(schemas).not.toHaveProperty(name);
  });

  test("every object schema is closed in the test document, and open in the public one", () => {
    const objectPaths = { open: [] as string[], closed: [] as string[] };
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      if ("properties" in value) objectPaths["additionalProperties" in value ? "closed" : "open"].push(path);
      for (const [member, content] of Object.entries(value)) visit(content, `${path}/${member}`);
    };
    visit(closedUnder({ assumptions: assume(profile), rateLimit: 120 }).components.schemas, "");
    expect(objectPaths.open).toEqual([]);
    objectPaths.closed = [];
    const { schemas } = documentUnder(assume(profile)).components;
    visit(schemas, "");
    expect(objectPaths.closed).toEqual([]);
    expect(JSON.stringify(schemas)).not.toMatch(
      /"(minimum|maximum|exclusiveMinimum|minItems|const)":|"enum":\[[^\]]*,/,
    );
  });
});

test.each(profileNames)("under %s the document is valid with every value of every assumption", async (profile) => {
  const most = Math.max(...catalog.map((row) => valuesOf(row).length));
  for (let nth = 0; nth < most; nth++) {
    const assumed = Object.fromEntries(
      catalog.map((row, at) => [row.id, valuesOf(row)[(nth + at) % valuesOf(row).length]]),
    );
    const document = documentUnder(assume(profile, assumed));
    await expectValid(document);
    expect(document["x-assumptions"]).toEqual(assumed);
  }
});

const conventional = documentUnder(assume("conventional"));

test("the operations are those of section 4, with literal parameter names", () => {
  const described = Object.entries(conventional.paths).map(([path, { get }]) => ({
    id: get.operationId,
    path: path.replace("{id}", ":id"),
    parameters: get.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name),
  }));
  expect(described).toEqual(operations.map(({ id, path, parameters }) => ({ id, path, parameters })));
});

test("every assumption is named by the parts of the document that depend on it", () => {
  const rowIds = new Set(
    [
      ...JSON.stringify({
        ...closedUnder({ assumptions: assume("conventional"), rateLimit: 120 }),
        "x-assumptions": {},
      }).matchAll(/"x-assumptions":(\[.*?\])/g),
    ].flatMap(([, ids]) => JSON.parse(ids ?? "") as string[]),
  );
  expect(catalog.map(({ id }) => id).filter((id) => !rowIds.has(id))).toEqual([]);
});

test("every error of the service is described, those of other paths and methods in the closed document", () => {
  const errors = Object.values({ ...serviceErrors, ...otherErrors });
  const described = errors.flatMap(({ codes }): readonly string[] => codes);
  const missing = Object.keys(serviceErrorCatalog).filter((code) => !described.includes(code));
  const message =
    "src/openapi/responses.ts, or test/support/closed-document.ts, lacks codes of src/model/error-catalog.ts";
  expect(missing, message).toEqual(["internal_error"]);
});

test("Marketing and Partner documents are separate schemas", () => {
  const { schemas } = conventional.components;
  const attributes = (name: string): object => schemas[name]?.["properties"] as object;
  expect(attributes("MarketingSigningParty")).toHaveProperty("phone_number");
  expect(attributes("PartnerSigningParty")).not.toHaveProperty("phone_number");
  expect(attributes("MarketingInvestor")).toMatchObject({ tax_id: { enum: ["[[redacted]]"] } });
  expect(attributes("PartnerInvestor")).toMatchObject({ tax_id: { type: ["string", "null"] } });
});

test.each<[Partial<Assumptions>, string, string, string]>([
  [{}, "/investments/{id}", "200 401 404 429", "400 403"],
  [{}, "/offerings/{id}", "200 401 403 429", "400 404"],
  [{}, "/offerings/{id}/investments", "200 400 401 403 429", "404"],
  [{ "list.past_end": "404" }, "/offerings/{id}/investments", "200 400 401 403 404 429", ""],
  [{ "errors.invalid_parameter": "ignore" }, "/investments/{id}/events", "200 400 401 404 429", "403"],
  [
    { "errors.invalid_parameter": "ignore", "dates.repeated": "last" },
    "/investments/{id}/events",
    "200 401 404 429",
    "400 403",
  ],
])("under %j the statuses of %s include %s, but not %s", (changes, path, included, excluded) => {
  const statuses = Object.keys(documentUnder(assume("conventional", changes)).paths[path]?.get.responses ?? {});
  expect(statuses).toEqual(expect.arrayContaining(included.split(" ")));
  // Neither is any of these ever a response to an operation.
  const never = [...excluded.split(" "), "405", "422", "500"];
  expect(statuses.filter((status) => never.includes(status))).toEqual([]);
});

test("without a rate limit the document has no 429 and no Retry-After", () => {
  expect(JSON.stringify(documentUnder(assume("conventional"), 0))).not.toMatch(/"429"|Retry-After"/);
});
