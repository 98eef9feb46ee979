import { describe, expect, test } from "vitest";
import { FaultUses } from "../../src/environment/faults.ts";
import { Limits } from "../../src/environment/limits.ts";
import { WaitingRequests } from "../../src/environment/waiting-requests.ts";
import { Secrets } from "../../src/secrets/secrets.ts";
import type { WaitingRequest } from "../../src/public/requests.ts";

test("another kind of window forgets the earlier requests; the same kind forgets none", () => {
  const limits = new Limits(3, "sliding");
  limits.hit("key", 0);
  limits.useWindow("sliding");
  expect(limits.read("key", 1).used).toBe(1);
  limits.useWindow("fixed");
  expect(limits.uses(1)).toEqual([]);
});

test("a forgotten fault leaves no count behind, neither of uses nor of matches", () => {
  const uses = new FaultUses(1, { "fault-1": 2, "fault-2": 1 }, { "fault-1": 5, "fault-2": 3 });
  uses.forget("fault-1");
  expect(uses.data).toEqual({ fault_uses: { "fault-2": 1 }, fault_matches: { "fault-2": 3 } });
});

describe("requests that wait", () => {
  const waiting = (path: string, duration_ms: number) => ({ path, duration_ms }) as unknown as WaitingRequest;

  test("are listed oldest first, including those of other processes", () => {
    const requests = new WaitingRequests();
    requests.add(() => waiting("/young", 10));
    requests.add(() => waiting("/old", 3_600_000));
    requests.remoteRequests = [
      { process: "2", receivedAt: performance.now() - 60_000, request: waiting("/elsewhere", 0) },
    ];
    expect(requests.allRequests.map(({ path }) => path)).toEqual(["/old", "/elsewhere", "/young"]);
  });
});

test("a secret with a plus is concealed in a query in which it became a space", () => {
  const secrets = new Secrets();
  secrets.add("open+sesame&now");
  for (const sent of ["open+sesame&now", "open+sesame%26now", "OPEN+SESAME%26NOW", "open%2Bsesame%26now"])
    expect(secrets.redact(`?x=${sent}&y=1`)).not.toMatch(/sesame/i);
});
