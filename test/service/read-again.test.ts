import { describe, expect, test } from "vitest";
import { dataRows } from "../../src/assumptions/data.ts";
import { documentRows } from "../../src/assumptions/documents.ts";
import { formOf, type Row } from "../../src/assumptions/row.ts";
import type { Snapshot } from "../../src/index.ts";
import { known, openSandbox, type TestSandbox } from "../support/sandbox.ts";

const listPath = `/offerings/${known.aurora}/investments`;

/** A request with a key, under assumptions. */
interface KeyedRequest {
  readonly assumptions: Readonly<Record<string, unknown>>;
  readonly key: keyof typeof known.keys;
  readonly path: string;
}

/** Sends requests to a sandbox in order and in reverse order, each time without a cached response. */
async function expectSameBackwards(
  { sandbox, raw }: TestSandbox,
  initialSnapshot: Snapshot,
  requests: readonly KeyedRequest[],
): Promise<void> {
  const sendAll = async (orderedRequests: readonly KeyedRequest[]): Promise<unknown[]> => {
    // A restore empties all caches, and removes the changed assumptions.
    await sandbox.restore(initialSnapshot);
    const responses: unknown[] = [];
    for (const request of orderedRequests) {
      await sandbox.assumptions.set(request.assumptions);
      const { status, text, headers } = await raw(`/api/v1${request.path}`, { key: known.keys[request.key] });
      responses.push({ request, status, text, dependsOn: headers["sandbox-assumptions"] });
    }
    return responses;
  };
  const backwards = await sendAll(requests.toReversed());
  expect(backwards.toReversed()).toEqual(await sendAll(requests));
}

describe("responses are the same in reverse order of the requests", () => {
  const investmentPath = `/investments/${known.whole}`;
  const events = `${investmentPath}/events`;

  const rows: readonly Row[] = [...documentRows, ...dataRows].filter(({ id }) => !/^(money|payment)/.test(id));
  test("under all values of each row", async () => {
    const testSandbox = await openSandbox();
    const initialSnapshot = await testSandbox.sandbox.snapshot();
    const bounds = "create_date[gte]=2026-01-03&modify_date[lte]=2026-01-10";
    const listTargets = ["", "?page=3", `?${bounds}`, `?${bounds}&size=12&page=2`].map((query) => listPath + query);
    for (const { id, values, accepts } of rows) {
      const examples = typeof accepts === "object" ? [3, 9] : accepts ? [formOf(accepts).example] : [];
      const targets = /^(list|dates)/.test(id)
        ? [...listTargets, `${events}?create_date[lte]=2026-01-06`]
        : [`/offerings/${known.aurora}`, listPath, investmentPath, `${investmentPath}/status`, events];
      const key = id === "investor.birthdate" ? "partner" : "marketing";
      const requests = [...Object.keys(values), ...examples].flatMap((value) =>
        targets.map((path): KeyedRequest => ({ assumptions: { [id]: value }, key, path })),
      );
      await expectSameBackwards(testSandbox, initialSnapshot, requests);
    }
  });

  test("for all keys and filters", async () => {
    const assumptions = { "list.included": "yes", "auth.partner_data": "on-request" };
    const bounds = ["create_date[gte]", "create_date[lte]", "modify_date[gte]", "modify_date[lte]"];
    const queries = [
      "page=2",
      "page=2&size=7",
      "size=7",
      "size=8",
      ...bounds.flatMap((name) => [`${name}=2026-01-05T00:00:00.000Z`, `${name}=2026-01-08`]),
      ...bounds.map((name) => `${name}=2026-01-08&create_date[gte]=2026-01-02&modify_date[lte]=2026-01-12`),
    ];
    const eventBounds = ["[gte]=2026-01-03", "[gte]=2026-01-04", "[lte]=2026-01-03", "[lte]=2026-01-04"];
    const filteredTargets = [
      ...queries.map((query) => `${listPath}?${query}`),
      ...eventBounds.map((bound) => `${events}?create_date${bound}`),
    ];
    const keys = ["marketing", "partner", "ungranted"] as const;
    const testSandbox = await openSandbox();
    await expectSameBackwards(testSandbox, await testSandbox.sandbox.snapshot(), [
      ...[investmentPath, listPath].flatMap((path) => keys.map((key) => ({ assumptions, key, path }))),
      ...filteredTargets.map((path) => ({ assumptions, key: "partner" as const, path })),
    ]);
  });
});
