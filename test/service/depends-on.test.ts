import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { catalog, profileNames, variedRows } from "../../src/assumptions/catalog.ts";
import type { Row } from "../../src/assumptions/row.ts";
import { caseCount } from "../support/case-count.ts";
import { stopMachineTime } from "../support/machine-time.ts";
import { known, openSandbox, type TestResponse, type RequestOptions } from "../support/sandbox.ts";

const { aurora, borealis, empty, whole, closed, elsewhere, unknown, keys } = known;
const list = `/offerings/${aurora}/investments`;
const origin = { origin: "https://app.example.com" };

/** Queries of lists. */
const queries = [
  "",
  "?page=0 ?page=1 ?page=2 ?page=0&size=7 ?page=1&size=1 ?page=3&size=20 ?page=99 ?size=1 ?size=20 ?size=30",
  "?size=60 ?size=100 ?size=150 ?size=300 ?size=0 ?size=x ?page=x ?page=1&page=2 ?size=2&size=3 ?page=x&page=1",
  "?page=1&page=x ?size=300&size=5 ?size=1&page=1&page=1 ?create_date[gte]=2026-01-10 ?create_date[lte]=2026-01-11",
  "?modify_date[gte]=2026-01-12&size=1 ?create_date[gte]=2026-02-11T16:00:00.000Z ?create_date[gte]=2030-01-01",
  "?create_date[lte]=nonsense ?page=x&size=0 ?create_date[gte]=2026-01-10&create_date[gte]=2026-01-12",
  "?create_date[gte]=2026-01-10&size=1000&page=x ?nonsense=1",
].flatMap((line) => line.split(" "));

const requests: readonly (readonly [path: string, requestOptions?: RequestOptions])[] = [
  ...queries.map((query) => [list + query] as const),
  ...queries.slice(0, 12).map((query) => [list + query, { key: keys.marketing }] as const),
  ...[
    "?create_date[gte]=2026-01-07",
    "?create_date[lte]=2026-01-06",
    "?create_date[gte]=x",
    "?create_date[gte]=2030-01-01",
  ].map((query) => [`/investments/${whole}/events${query}`] as const),
  ...[whole, closed, elsewhere, unknown, whole.toUpperCase()].flatMap((id) =>
    ["", "/status", "/events"].flatMap((suffix) =>
      [keys.partner, keys.marketing, keys.ungranted].map((key) => [`/investments/${id}${suffix}`, { key }] as const),
    ),
  ),
  ...[aurora, borealis, empty, unknown].flatMap((id) =>
    ["", "/investments", "/investments?page=x", "/investments?size=300"].map(
      (suffix) => [`/offerings/${id}${suffix}`] as const,
    ),
  ),
  [`/offerings/${empty}/investments`, { key: keys.empty }],
  [`/offerings/${empty}/investments?page=2`, { key: keys.empty }],
  [`/offerings/${empty}/investments?size=300`, { key: keys.empty }],
  ...[list, "/nowhere", `/investments/${unknown}`, `/offerings/${borealis}`].flatMap((path) => [
    [path, { key: null }] as const,
    [path, { key: keys.revoked }] as const,
    [path, { key: keys.atLimit }] as const,
    [path, { key: "nonsense" }] as const,
    [path, { key: null, headers: { authorization: `bearer ${keys.partner}` } }] as const,
    [path, { key: null, headers: { authorization: `bearer ${keys.revoked}` } }] as const,
    [path, { key: null, headers: { authorization: `Basic ${keys.partner}` } }] as const,
    [path, { headers: origin }] as const,
    [path, { key: keys.atLimit, headers: origin }] as const,
    ...["HEAD", "DELETE", "OPTIONS"].map((method) => [path, { method }] as const),
    [path, { method: "POST", key: keys.revoked }] as const,
    [path, { method: "DELETE", key: keys.atLimit }] as const,
    [path, { method: "OPTIONS", key: null, headers: { ...origin, "access-control-request-method": "GET" } }] as const,
  ]),
];

/** Returns everything that a client can see of a response, except the assumptions and the date. */
function formatVisible(response: TestResponse | undefined): string {
  const { status, headers = {}, text } = response ?? {};
  const { date: _date, "sandbox-assumptions": _assumptions, ...rest } = headers;
  return JSON.stringify([status, rest, text]);
}

function dependsOn(response: TestResponse | undefined): readonly string[] {
  return (response?.headers["sandbox-assumptions"] ?? "").split(", ");
}

/** Returns the alternative values of a row. */
function valuesOf({ id, values, vary }: Row): readonly (string | number)[] {
  const varied = variedRows.find((row) => row.id === id)?.values ?? [];
  return [...new Set([...Object.keys(values), ...varied, ...(typeof vary === "object" ? vary : [])])];
}

test.each(profileNames)(
  "a response names each row of which another value would have changed the response, %s",
  async (profile) => {
    stopMachineTime();
    vi.spyOn(Date, "now").mockReturnValue(Date.UTC(2026, 0, 15));
    const rateLimit = 10_000;
    const allIndexes = [...requests.keys()];
    const send = async (indexes: readonly number[], assumptions = {}): Promise<Map<number, TestResponse>> => {
      const { sandbox, raw } = await openSandbox({ profile, rateLimit, assumptions });
      await sandbox.limits.set(keys.atLimit, rateLimit);
      const responses = await Promise.all(
        indexes.map(async (index) => {
          const [path, options] = requests[index] ?? [""];
          return [index, await raw(`/api/v1${path}`, options)] as const;
        }),
      );
      await sandbox.close();
      return new Map(responses);
    };
    const baseResponses = await send(allIndexes);
    const missingRows: string[] = [];
    for (const row of catalog as readonly Row[]) {
      for (const value of valuesOf(row)) {
        const independent = allIndexes.filter((index) => !dependsOn(baseResponses.get(index)).includes(row.id));
        for (const [index, response] of await send(independent, { [row.id]: value }))
          if (formatVisible(baseResponses.get(index)) !== formatVisible(response))
            missingRows.push(`${row.id}=${value}: ${JSON.stringify(requests[index])}`);
      }
    }
    expect(missingRows).toEqual([]);
  },
);

const [missingInvestment, forbiddenOffering] = [`/investments/${unknown}`, `/offerings/${borealis}`];

test("a response names the rows of the rate limit exactly if their other value would have refused it", async () => {
  const action = fc.oneof(
    fc.constantFrom(list, missingInvestment, forbiddenOffering),
    fc.constantFrom("10s", "31s", "61s"),
  );
  const windows = ["fixed", "sliding"] as const;
  const counts = ["every-request", "answered"] as const;
  const combinations = windows.flatMap((window) => counts.map((countedRequests) => [window, countedRequests] as const));
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 24 }), async (actions) => {
      stopMachineTime();
      const sandboxes = await Promise.all(
        combinations.map(([window, countedRequests]) =>
          openSandbox({ rateLimit: 3, assumptions: { "limit.window": window, "limit.counts": countedRequests } }),
        ),
      );
      for (const path of actions) {
        if (!path.startsWith("/")) {
          await Promise.all(sandboxes.map(({ sandbox }) => sandbox.clock.advance(path)));
          continue;
        }
        const responses = await Promise.all(sandboxes.map(({ raw }) => raw(`/api/v1${path}`)));
        const statusOf = (window: string, countedRequests: string): number | undefined =>
          responses[
            combinations.findIndex((combination) => combination[0] === window && combination[1] === countedRequests)
          ]?.status;
        for (const [index, [window, countedRequests]] of combinations.entries()) {
          const response = responses[index];
          if (!response || response.status === 429) continue;
          const dependsOnWindow = windows.some((value) => statusOf(value, countedRequests) === 429);
          const dependsOnCounts = counts.some((value) => statusOf(window, value) === 429);
          const namedRows = dependsOn(response).filter((id) => id === "limit.window" || id === "limit.counts");
          const expectedRows = [
            ...(dependsOnCounts ? ["limit.counts"] : []),
            ...(dependsOnWindow ? ["limit.window"] : []),
          ];
          expect(namedRows, `${window} ${countedRequests}: ${actions.join()}`).toEqual(expectedRows);
        }
      }
      await Promise.all(sandboxes.map(({ sandbox }) => sandbox.close()));
    }),
    { numRuns: caseCount(8) },
  );
});
