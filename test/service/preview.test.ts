import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catalog } from "../../src/assumptions/catalog.ts";
import type { Environment, PreviewRequest, Sandbox } from "../../src/public/control.ts";
import { basePath } from "../../src/model/operations.ts";
import { caseCount } from "../support/case-count.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { openControl } from "../support/sandboxes.ts";

const id = fc.constantFrom(
  known.whole,
  known.closed,
  known.elsewhere,
  known.unknown,
  known.aurora,
  known.borealis,
  "x",
);
const query = fc.constantFrom(
  "",
  "?",
  "?page=2&size=1",
  "?size=0&page=abc",
  "?create_date[gte]=2026-01-02",
  "?create_date%5Blte%5D=2026-01-05&create_date[lte]=2026",
  "?page=9",
  "?%zz&nothing=",
);
const route = fc.constantFrom("", "/investments", "/status", "/events", "/", "/nothing", "//x");
const start = fc.constantFrom("/offerings/", "/investments/", `${basePath}/investments/`, `${basePath}/`, "/api/v2/");
const path = fc.tuple(start, id, route, query).map((parts) => parts.join(""));
const key = fc.constantFrom(...Object.values(known.keys), null);
const values = fc.record(
  Object.fromEntries(
    catalog
      .filter(({ id: name }) => name !== "limit.headers")
      .map((row) => [row.id, fc.constantFrom(row.conventional, row.minimal, ...Object.keys(row.values))]),
  ),
  { requiredKeys: [] },
);

/** Headers of the connection, which a preview does not have. */
const connectionHeaders = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

test("a preview equals the next GET, byte by byte, and changes nothing", async () => {
  const { sandbox, raw } = await openSandbox({ rateLimit: 100_000 });
  await fc.assert(
    fc.asyncProperty(
      values,
      fc.array(fc.tuple(path, key), { minLength: 5, maxLength: 5 }),
      async (assumptions, calls) => {
        await sandbox.assumptions.set(assumptions);
        await sandbox.limits.clear();
        await sandbox.requests.clear();
        const snapshotBefore = await sandbox.snapshot();
        const previews = [];
        for (const [target, key_id] of calls) previews.push(await sandbox.preview({ path: target, key_id }));
        expect(await sandbox.snapshot()).toEqual(snapshotBefore);
        for (const [index, [target, secret]] of calls.entries()) {
          const fullPath = /^\/(offerings|investments)\//.test(target) ? basePath + target : target;
          const response = await raw(fullPath, { key: secret });
          const headers = Object.entries(response.headers).filter(([name]) => !connectionHeaders.has(name));
          const { status, headers: previewHeaders, body } = previews[index] ?? {};
          const lowerCaseHeaders = Object.entries(previewHeaders ?? {}).map(([name, value]) => [
            name.toLowerCase(),
            value,
          ]);
          expect([status, Object.fromEntries(lowerCaseHeaders), body], `${target} with ${secret}`).toEqual([
            response.status,
            Object.fromEntries(headers),
            response.text,
          ]);
        }
      },
    ),
    { numRuns: caseCount(12) },
  );
});

const wholePath = `/investments/${known.whole}`;

const refusals: readonly (readonly [order: object, message: string])[] = [
  [{ path: "investments/x", key_id: null }, "expected a path and a query"],
  [{ path: "http://localhost/api/v1/offerings/x", key_id: null }, "expected a path and a query"],
  [{ path: "/investments/x y", key_id: null }, "without spaces"],
  [{ path: "/investments/é", key_id: null }, "in ASCII"],
  [{ path: "/investments/x#y", key_id: null }, "in ASCII"],
  [{ path: `/${"x".repeat(8000)}`, key_id: null }, "8000 at most"],
  [{ path: wholePath, key_id: "unknown" }, "There is no key"],
  [{ path: wholePath, key_id: 5 }, "key_id is 5; expected a string or null."],
  [{ path: wholePath, key_id: new URL("http://x/") }, "There is no key"],
  [{ path: wholePath }, "key_id is missing; expected a string or null."],
  [{}, "path is missing; expected a string."],
  [{ path: wholePath, key_id: null, method: "HEAD" }, '"method"'],
];

describe("preview", () => {
  const previewWhole = (sandbox: Sandbox, key_id: string | null, to = wholePath) =>
    sandbox.preview({ path: to, key_id });

  test("a preview ignores faults, delays and limits, and does not count as a read", async () => {
    const sandbox = await openControl({ delay: "5m", rateLimit: 1, assumptions: { "limit.headers": "draft-8" } });
    await sandbox.faults.add({ connection: "reset", times: 1 });
    const steps = [{ after_reads: 1, event: "PAYMENT APPROVED" }];
    await sandbox.play({ investment: "whole", steps });
    await sandbox.limits.set(known.keys.partner, 500);
    const snapshotBefore = await sandbox.snapshot();
    const { status, headers } = await previewWhole(sandbox, known.keys.partner);
    expect([status, headers["RateLimit"]]).toEqual([200, undefined]);
    expect(headers["Sandbox-Assumptions"]).toContain("limit.headers");
    expect(await sandbox.snapshot()).toEqual(snapshotBefore);
    expect(await sandbox.runs.list()).toMatchObject([{ status: "waiting" }]);
  });

  test("a preview uses its environment, clock and keys only", async () => {
    const sandbox = await openControl();
    const environment = await sandbox.openEnvironment();
    await environment.investments.change("whole", { step: null });
    const body = async (client: Environment, key_id: string) =>
      JSON.parse((await client.preview({ path: `${basePath}${wholePath}/status`, key_id })).body) as object;
    expect(await body(environment, environment.keys.partner)).toMatchObject({ data: { attributes: { step: null } } });
    expect(await body(sandbox, known.keys.partner)).toMatchObject({ data: { attributes: { step: "SIGNERS" } } });
    await expect(body(sandbox, environment.keys.partner)).rejects.toThrow("no key of this id, alias, label or secret");
  });

  test("a preview of an impossible request is refused with the expected form", async () => {
    const sandbox = await openControl();
    for (const [request, message] of refusals) {
      const refusal = { code: "invalid", message: expect.stringContaining(message) as string };
      await expect(sandbox.preview(request as PreviewRequest), JSON.stringify(request)).rejects.toMatchObject(refusal);
    }
  });
});
