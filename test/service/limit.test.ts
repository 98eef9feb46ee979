import { describe, expect, test, vi } from "vitest";
import { known, openSandbox } from "../support/sandbox.ts";

const path = `/investments/${known.whole}`;

/** Stops real time, and sets the machine's clock. */
function stopTime(machineTime = "2026-01-15T12:00:00.001Z"): void {
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  vi.spyOn(Date, "now").mockReturnValue(Date.parse(machineTime));
}

test("request 121 within a minute with one key gives 429, and after Retry-After the same succeeds (7, 8)", async () => {
  stopTime();
  const { api, sandbox } = await openSandbox({ rateLimit: 120 });
  for (let request = 1; request <= 120; request++) {
    const target = [path, "/nowhere", `/investments/${known.unknown}`, `${path}/events?create_date[gte]=x`][
      request % 4
    ];
    expect((await api(target ?? path)).status).not.toBe(429);
  }
  const refusal = await api(path);
  expect(refusal.status).toBe(429);
  expect(refusal.json.errors[0].code).toBe("rate_limit_exceeded");
  const waitSeconds = Number(refusal.headers["retry-after"]);
  expect(Number.isInteger(waitSeconds) && waitSeconds >= 1 && waitSeconds <= 60).toBe(true);
  expect((await api(path, { key: known.keys.marketing })).status).toBe(200);
  await sandbox.clock.advance(waitSeconds * 1000);
  expect((await api(path)).status).toBe(200);
});

test("requests without an active key are not counted", async () => {
  const { api } = await openSandbox({ rateLimit: 1 });
  for (const key of [null, known.keys.revoked, "sandbox_partner_unknown"]) {
    expect((await api(path, { key })).status).toBe(401);
    expect((await api(path, { key })).status).toBe(401);
  }
  expect((await api(path)).status).toBe(200);
  expect((await api(path)).status).toBe(429);
});

test("setting the clock back or forward neither extends nor ends a window", async () => {
  const { api, sandbox } = await openSandbox({ rateLimit: 1 });
  await api(path);
  await sandbox.clock.set({ now: "2027-01-01T00:00:00.000Z" });
  expect((await api(path)).status).toBe(429);
  await sandbox.clock.set({ now: "2025-01-01T00:00:00.000Z" });
  expect((await api(path)).status).toBe(429);
  await sandbox.clock.advance(60_000);
  expect((await api(path)).status).toBe(200);
});

test.each([-1, 1])(
  "setting the machine's clock by %d hours changes neither a window nor the sandbox's clock",
  async (hours) => {
    const realNow = Date.now;
    let offsetMs = 0;
    vi.spyOn(Date, "now").mockImplementation(() => realNow() + offsetMs);
    const { api, sandbox } = await openSandbox({ rateLimit: 1, speed: 1 });
    expect((await api(path)).status).toBe(200);
    const { now } = await sandbox.clock.get();
    offsetMs = hours * 3_600_000;
    const refusal = await api(path);
    expect(refusal.status).toBe(429);
    expect(Number(refusal.headers["retry-after"])).toBeLessThanOrEqual(60);
    const elapsed = Date.parse((await sandbox.clock.get()).now) - Date.parse(now);
    expect(elapsed).toBeGreaterThanOrEqual(0);
    expect(elapsed).toBeLessThan(1_800_000);
  },
);

describe.each(["seconds", "http-date"])("with Retry-After in the form %s", (form) => {
  test.each([
    { window: "fixed", headers: "none" },
    { window: "fixed", headers: "draft-8" },
    { window: "sliding", headers: "none" },
    { window: "sliding", headers: "draft-8" },
  ])("a $window window with $headers headers ends at the exact millisecond", async ({ window, headers }) => {
    stopTime();
    const assumptions = { "limit.window": window, "limit.retry_after": form, "limit.headers": headers };
    const sendAt = async (...instantsMs: readonly number[]): Promise<(number | string)[]> => {
      const { api, sandbox } = await openSandbox({ rateLimit: 2, assumptions });
      const responses: (number | string)[] = [];
      for (const [index, instantMs] of instantsMs.entries()) {
        await sandbox.clock.advance(instantMs - (instantsMs[index - 1] ?? 0));
        const { status, headers: responseHeaders } = await api(path);
        expect("ratelimit" in responseHeaders).toBe(headers === "draft-8");
        responses.push(status === 429 ? (responseHeaders["retry-after"] ?? "none") : status);
      }
      return responses;
    };
    const formatWait = (milliseconds: number): string => {
      const seconds = Math.ceil(milliseconds / 1000);
      if (form === "seconds") return String(seconds);
      // Rounded up, because a date is a whole second, and the machine's clock is 1 ms past one.
      return new Date(Date.parse("2026-01-15T12:00:01.000Z") + seconds * 1000).toUTCString();
    };
    // A sliding window also counts refused requests: the last two are the one at 1,001 and the refused one.
    const isFixed = window === "fixed";
    expect(await sendAt(0, 1001, 1002)).toEqual([200, 200, formatWait(isFixed ? 58_998 : 59_999)]);
    expect(await sendAt(0, 1001, 60_000)).toEqual([200, 200, 200]);
    const lastResponses = isFixed
      ? [200, 200, formatWait(59_999)]
      : [formatWait(59_999), formatWait(60_000), formatWait(59_999)];
    expect(await sendAt(0, 1001, 59_999, 60_000, 60_000, 60_001)).toEqual([
      200,
      200,
      formatWait(isFixed ? 1 : 1002),
      ...lastResponses,
    ]);
  });
});

test.each(["fixed", "sliding"])("in a %s window with limit.counts=answered, errors are not counted", async (window) => {
  stopTime();
  const assumptions = { "limit.window": window, "limit.counts": "answered", "limit.headers": "x-ratelimit" };
  const { api, sandbox } = await openSandbox({ rateLimit: 3, assumptions: { ...assumptions, "list.past_end": "404" } });
  const list = `/offerings/${known.aurora}/investments`;
  const remainingAfter = async (target: string, method = "GET"): Promise<string> => {
    const { status, headers } = await api(target, { method });
    return `${status}: ${headers["x-ratelimit-remaining"]}`;
  };
  const refusedTargets = ["/nowhere", `/investments/${known.unknown}`, `${list}?size=x`, `${list}?page=9`];
  for (const target of refusedTargets) expect(await remainingAfter(target)).toMatch(/^40[04]: 3$/);
  expect(await remainingAfter(path)).toBe("200: 2");
  expect(await remainingAfter(path, "PUT")).toBe("405: 2");
  await sandbox.clock.advance("10s");
  expect(await remainingAfter(path, "HEAD")).toBe("200: 1");
  expect(await remainingAfter(list)).toBe("200: 0");
  for (const target of [...refusedTargets, path]) expect(await remainingAfter(target)).toBe("429: 0");
  await sandbox.clock.advance(49_999);
  const { headers } = await api(path);
  expect(headers["retry-after"]).toBe("1");
  await sandbox.clock.advance(1);
  // A fixed window ends as a whole, a sliding one loses its first request.
  expect(await remainingAfter(path)).toBe(window === "fixed" ? "200: 2" : "200: 0");
  const atLimit = { key: known.keys.atLimit };
  expect((await api(path, atLimit)).status).toBe(429);
  await sandbox.clock.advance(60_000);
  expect((await api(path, atLimit)).status).toBe(200);
});

test.each(["fixed", "sliding"])(
  "a number of used requests set by command counts for a %s minute from the next request",
  async (window) => {
    stopTime();
    const { api, sandbox } = await openSandbox({ rateLimit: 3, assumptions: { "limit.window": window } });
    const id = (await sandbox.keys.list()).find(({ key }) => key === known.keys.partner)?.id ?? "";
    await sandbox.limits.set(id, 2);
    await sandbox.clock.advance("1h");
    const sendTwice = async (): Promise<number[]> => [(await api(path)).status, (await api(path)).status];
    expect(await sendTwice()).toEqual([200, 429]);
    await sandbox.clock.advance(59_999);
    expect(await sendTwice()).toEqual([429, 429]);
    await sandbox.clock.advance(1);
    expect(await sendTwice()).toEqual(window === "fixed" ? [200, 200] : [200, 429]);
    for (const used of [-1, 0.5, 1_000_001, Number.NaN, Infinity]) {
      await expect(sandbox.limits.set(id, used)).rejects.toMatchObject({ code: "invalid" });
    }
  },
);

test.each(["x-ratelimit", "draft-8"])(
  "over the limit, only the 429 has Retry-After, not an error that precedes it: %s",
  async (form) => {
    const precedence = "404-path,405,401,403,400,404,429";
    const assumptions = { precedence, "limit.headers": form, "limit.retry_after": "http-date" };
    const { api } = await openSandbox({ rateLimit: 1, assumptions });
    await api(path);
    const targets = [
      "/nowhere",
      `/offerings/${known.borealis}`,
      `/investments/${known.unknown}`,
      `${path}/events?page=x`,
      path,
    ];
    const responses = await Promise.all(targets.map((target) => api(target)));
    const waits = responses.map(({ status, headers }) => `${status} ${headers["retry-after"]}`);
    expect(waits.slice(0, 3)).toEqual(["404 undefined", "403 undefined", "404 undefined"]);
    expect(waits.slice(3)).toEqual([expect.stringMatching(/^429 .*GMT$/), expect.stringMatching(/^429 .*GMT$/)]);
    expect(responses.at(-1)?.headers["sandbox-assumptions"]).toContain("limit.retry_after");
  },
);
