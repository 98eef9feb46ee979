import { describe, expect, test } from "vitest";
import { precedence, type Check } from "../../src/service/checks.ts";
import { known, openSandbox } from "../support/sandbox.ts";

const statuses: Record<Check, number> = {
  key: 401,
  limit: 429,
  path: 404,
  method: 405,
  scope: 403,
  parameters: 400,
  investment: 404,
};

/** Every set of reasons that one request can give. An offering cannot be an unknown investment. */
const sets = Array.from({ length: 2 ** precedence.length }, (_, bits) =>
  precedence.filter((_check, at) => bits & (1 << at)),
)
  .filter((set) => !(set.includes("scope") && set.includes("investment")))
  .filter((set) => !(set.includes("key") && set.includes("limit")));

test("the order is that of the assumption", () => {
  expect(precedence.map((check) => statuses[check])).toEqual([401, 429, 404, 405, 403, 400, 404]);
});

describe("of several reasons to refuse a request the first one answers", () => {
  test.each(sets.map((set) => [set.join(" and ") || "none", set] as const))("%s", async (_, set) => {
    const { api } = await openSandbox({ rateLimit: 1 });
    const key = set.includes("key") ? known.keys.revoked : known.keys.partner;
    if (set.includes("limit")) await api(`/investments/${known.whole}`, { key });
    const { status, headers } = await api(pathFor(set), { key, method: set.includes("method") ? "POST" : "GET" });
    const [first] = set;
    expect(status).toBe(first ? statuses[first] : 200);
    const assumptions = (headers["sandbox-assumptions"] ?? "").split(", ");
    expect(assumptions.includes("precedence")).toBe(judged(set).length > 1);
  });
});

function pathFor(set: readonly Check[]): string {
  const query = set.includes("parameters") ? "?create_date[gte]=yesterday" : "";
  const unknownPath = set.includes("path") ? "/nothing" : "";
  if (set.includes("scope")) return `/offerings/${known.borealis}/investments${unknownPath}${query}`;
  const id = set.includes("investment") ? known.unknown : known.whole;
  return `/investments/${id}/events${unknownPath}${query}`;
}

/** The mistakes that can be judged at all: without a key no scope, on an unknown path no parameters. */
function judged(set: readonly Check[]): Check[] {
  return set.filter((check) => {
    if (check === "scope" || check === "investment") return !set.includes("key") && !set.includes("path");
    return check !== "parameters" || !set.includes("path");
  });
}
