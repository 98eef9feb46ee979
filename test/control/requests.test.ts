import { createHash } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import type { JournalEntry, RequestEntry, Sandbox } from "../../src/public/control.ts";
import { requestLine } from "../../src/testing/request-lines.ts";
import { stopMachineTime } from "../support/machine-time.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { writeFixture } from "../support/write-fixture.ts";
import { openControl, read } from "../support/sandboxes.ts";

const unknownKeyHint =
  "no such key: it looks like the key of another sandbox, or of an environment that was deleted; offering-sandbox keys list shows the valid ones";

describe("requests", () => {
  test("the journal lists requests, oldest first, without the text of any key", async () => {
    const sandbox = await openControl();
    const { headers, text } = await read(sandbox, `/investments/${known.whole}`);
    const assumptions = headers.get("sandbox-assumptions");
    await sandbox.clock.advance("1h");
    await read(sandbox, `/offerings/${known.aurora}/investments?create_date[gt]=2026-01-01`);
    await read(sandbox, `/investments/${known.whole}`, "sandbox_partner_nobody_knows");
    const partner = (await sandbox.keys.list()).find(({ key }) => key === known.keys.partner);
    const list = await sandbox.requests.list();
    expect(list).toEqual({
      data: [
        {
          id: 1,
          date: "2026-01-15T12:00:00.000Z",
          recorded_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          elapsed_ms: expect.any(Number),
          as_of: 0,
          digest: createHash("sha256").update(text).digest("hex").slice(0, 16),
          method: "GET",
          path: `/api/v1/investments/${known.whole}`,
          status: 200,
          connection: null,
          code: null,
          duration_ms: expect.any(Number),
          key_id: partner?.id,
          key_label: partner?.label,
          environment: "default",
          fault_id: null,
          hints: [],
          depends_on: [],
          from_portal: false,
          operation: "getInvestment",
          key_type: "partner",
          offering_id: known.aurora,
          investment_id: known.whole,
          assumptions: assumptions?.split(", "),
          page: null,
          size: null,
          shown: null,
          total: null,
          retry_after_seconds: null,
          cause: null,
          remedy: null,
          offering_name: "Aurora Robotics",
          investment_name: expect.stringMatching(/^#\d+ \S+/),
        },
        expect.objectContaining({
          id: 2,
          date: "2026-01-15T13:00:00.000Z",
          status: 200,
          hints: [expect.stringContaining("create_date[gte]")],
        }),
        expect.objectContaining({ id: 3, status: 401, code: "key_unknown", key_id: null, key_label: null }),
      ],
      dropped: 0,
      waiting: [],
    });
    expect(JSON.stringify(list)).not.toContain("sandbox_");
  });

  test("the requests of a paused clock differ in real time, even after a restore", async () => {
    const machineClock = vi.spyOn(Date, "now").mockReturnValue(Date.UTC(2031, 1, 3, 4, 5, 6, 789));
    const sandbox = await openControl();
    await read(sandbox, "/nowhere");
    machineClock.mockReturnValue(Date.UTC(2031, 1, 3, 4, 5, 7));
    await read(sandbox, "/nowhere");
    const snapshot = await sandbox.snapshot();
    machineClock.mockReturnValue(Date.UTC(2031, 1, 4));
    await sandbox.restore(snapshot);
    const { data } = await sandbox.requests.list();
    expect(data.map(({ date, recorded_at }) => [date, recorded_at])).toEqual([
      ["2026-01-15T12:00:00.000Z", "2031-02-03T04:05:06.789Z"],
      ["2026-01-15T12:00:00.000Z", "2031-02-03T04:05:07.000Z"],
    ]);
    expect((await sandbox.pulse()).real_time).toBe("2031-02-04T00:00:00.000Z");
  });

  test("with a moving clock, the date of a request is that of the state in its response", async () => {
    // Each read of the time is an hour later than the previous read.
    stopMachineTime(3_600_000);
    const sandbox = await openControl({ speed: 1, rateLimit: 0 });
    const steps = Array.from({ length: 200 }, (_, index) => ({
      at: `${index}h`,
      investment: { amount: index + 1 },
    }));
    await sandbox.play({ steps }, { investment_id: known.whole });
    for (let round = 0; round < 5; round++) {
      const { amount } = (await read(sandbox, `/investments/${known.whole}`)).json.data.attributes;
      const { date = "" } = (await sandbox.requests.list({ limit: 1 })).data[0] ?? {};
      const changes = await sandbox.timeline({ to: date });
      expect(changes.at(-1)).toMatchObject({ attributes: { amount } });
    }
  });

  test("the journal hides a configured key that looks like a word, even before its issue", async () => {
    const [issuedSecret, upcomingSecret, secretWithSlashes] = ["wordsonlyserving", "20260115", "words/only/v1"];
    const offering = `/api/v1/offerings/${known.aurora}`;
    const requestPaths = [
      `/${issuedSecret}?${issuedSecret}=1&page=${upcomingSecret}`,
      `/offerings/${known.aurora}?${issuedSecret}=1&page=${issuedSecret}&${issuedSecret}[gte]=-${upcomingSecret}`,
      `/offerings/${secretWithSlashes}/x.${issuedSecret}`,
    ];
    const listHiddenPaths = async (sandbox: Sandbox): Promise<unknown> => {
      for (const path of requestPaths) await read(sandbox, path);
      return (await sandbox.requests.list()).data.map(({ path, hints }) => [path, ...hints]);
    };
    // Here no key has these strings.
    expect(await listHiddenPaths(await openControl())).toEqual([
      [`/api/v1/${issuedSecret}?${issuedSecret}=1&page=${upcomingSecret}`, "unknown path"],
      [
        `${offering}?${issuedSecret}=1&page=${issuedSecret}&${issuedSecret}[gte]=-${upcomingSecret}`,
        ...[issuedSecret, "page", `${issuedSecret}[gte]`].map((name) => `unknown parameter ${name}`),
      ],
      [`/api/v1/offerings/${secretWithSlashes}/x.${issuedSecret}`, "unknown path"],
    ]);
    const keys = [
      { type: "partner", offering: "only", key: issuedSecret },
      { type: "partner", offering: "only", key: secretWithSlashes },
      { type: "partner", offering: "only", key: upcomingSecret, create_date: "2026-02-01T00:00:00.000Z" },
    ];
    const fixture = await writeFixture({ offerings: [{ alias: "only" }], keys });
    expect(await listHiddenPaths(await openControl({ fixture, clock: "2026-01-15T12:00:00.000Z" }))).toEqual([
      ["/api/v1/…?…=1&page=…", unknownKeyHint],
      [
        `${offering}?…=1&page=…&…[gte]=-…`,
        unknownKeyHint,
        ...["…", "page", "…[gte]"].map((name) => `unknown parameter ${name}`),
      ],
      ["/api/v1/offerings/…/x.…", unknownKeyHint],
    ]);
  });

  test("a key that is part of a name or label is neither in the journal nor in the log", async () => {
    const entries: RequestEntry[] = [];
    const customSecret = "MyOwnKey2026";
    const [secret, upperCaseSecret] = [known.keys.partner, known.keys.partner.toUpperCase()];
    const fixture = {
      offerings: [{ alias: "only", name: `Rocket ${upperCaseSecret}` }],
      keys: [
        { type: "partner", offering: "only", key: customSecret, label: `L ${customSecret}` },
        { type: "partner", offering: "only" },
      ],
    } as const;
    const sandbox = await openControl({
      onRequest: (entry) => entries.push(entry),
      fixture: await writeFixture(fixture),
    });
    const refusals = [];
    for (const text of [secret, upperCaseSecret]) {
      refusals.push(
        sandbox.keys.issue({ type: "partner", label: `x ${text}` }),
        sandbox.investments.create({ alias: text }),
        sandbox.openEnvironment({ id: text }),
        sandbox.openEnvironment({ label: text }),
      );
    }
    for (const refusal of await Promise.allSettled(refusals)) {
      expect(refusal).toMatchObject({ status: "rejected", reason: { code: "invalid" } });
      expect(String((refusal as PromiseRejectedResult).reason)).not.toMatch(new RegExp(secret, "i"));
    }
    await sandbox.keys.issue({ type: "partner", label: customSecret });
    for (const { key } of await sandbox.keys.list()) await read(sandbox, "/investments/1?token=987654&page=1", key);
    const namedEnvironment = await sandbox.openEnvironment({
      id: customSecret,
      fixture: { offerings: [{ alias: "o", name: upperCaseSecret }] },
    });
    await read(namedEnvironment, "/investments/1", namedEnvironment.keys.partner);
    await read(namedEnvironment, `/offerings/${namedEnvironment.offering.id}`, namedEnvironment.keys.partner);
    const journals = await Promise.all([sandbox, namedEnvironment].map(({ requests }) => requests.list()));
    const labels = journals.map(({ data }) => data.map(({ key_label, environment }) => [key_label, environment]));
    expect(labels).toEqual([
      [
        ["L …", "default"],
        ["Rocket … partner", "default"],
        ["…", "default"],
      ],
      [
        ["… partner", "…"],
        ["… partner", "…"],
      ],
    ]);
    expect(journals[1]?.data[1]?.offering_name).toBe("…");
    const entriesWithKey = entries.filter(({ key_id }) => key_id !== null);
    expect(entriesWithKey.map(({ key_label, environment }) => [key_label, environment])).toEqual(labels.flat());
    expect(journals[0]?.data[0]?.path).toBe("/api/v1/investments/1?token=…&page=1");
  });

  test("an entry has the key of a refused request and the reason", async () => {
    const sandbox = await openControl({ rateLimit: 4 });
    const keys = await sandbox.keys.list();
    const { id: key_id = "", label: key_label = "" } = keys.find(({ key }) => key === known.keys.partner) ?? {};
    const revokedKey = keys.find(({ key }) => key === known.keys.revoked);
    const keyFields = { key_id, key_label, key_type: "partner" } as const;
    const noKey = { key_id: null, key_label: null, key_type: null };
    const [investmentPath, list] = [`/investments/${known.whole}`, `/offerings/${known.aurora}/investments`];
    const bearer = `Bearer ${known.keys.partner}`;
    const requests: [path: string, authorization: string | undefined, entry: Partial<JournalEntry>][] = [
      [
        investmentPath,
        undefined,
        {
          ...noKey,
          code: "key_missing",
          hints: [expect.stringMatching(/^no Authorization header/)],
          cause: "The request had no key.",
          remedy: "Send the header Authorization: Bearer and a key.",
        },
      ],
      [investmentPath, "Basic abc", { code: "key_malformed", hints: [expect.stringContaining("scheme Basic")] }],
      [
        investmentPath,
        known.keys.partner,
        { code: "key_malformed", hints: [expect.stringContaining("begins with a key")] },
      ],
      [investmentPath, "Bearer", { code: "key_malformed", hints: [expect.stringContaining("no key after Bearer")] }],
      [
        investmentPath,
        `${bearer} x`,
        { code: "key_malformed", hints: [expect.stringContaining("more than one word")] },
      ],
      [
        investmentPath,
        "Bearer sandbox_partner_x",
        { code: "key_unknown", hints: [expect.stringContaining("of another sandbox")] },
      ],
      [
        investmentPath,
        "Bearer sk_live_51H",
        { code: "key_unknown", hints: [expect.stringContaining("does not look like")] },
      ],
      [
        investmentPath,
        `Bearer ${known.keys.revoked}`,
        {
          code: "key_revoked",
          key_id: revokedKey?.id ?? "",
          hints: [`the key was revoked at ${revokedKey?.revoke_date}`],
        },
      ],
      [investmentPath, bearer.toUpperCase(), { code: "key_unknown" }],
      [investmentPath, "Bearer __proto__", { code: "key_unknown" }],
      [
        `${list}?size=0&page=x&create_date[gte]=01/02/2026`,
        bearer,
        {
          ...keyFields,
          code: "parameter_invalid",
          operation: "listInvestments",
          offering_id: known.aurora,
          page: null,
          hints: [
            expect.stringMatching(/^page=x must be an integer/),
            expect.stringMatching(/^size=0 must be an integer/),
            expect.stringMatching(/^create_date\[gte\]=01\/02\/2026 must be an ISO 8601 date/),
          ],
        },
      ],
      [
        `/offerings/${known.borealis}`,
        bearer,
        {
          ...keyFields,
          code: "offering_forbidden",
          offering_id: known.borealis,
          hints: [`the key is for the offering ${known.aurora}`],
        },
      ],
      [
        `/investments/${known.elsewhere}/status`,
        bearer,
        {
          ...keyFields,
          code: "investment_not_found",
          operation: "getInvestmentStatus",
          offering_id: known.borealis,
          investment_id: known.elsewhere,
          hints: [expect.stringContaining(`is of the offering ${known.borealis}`)],
        },
      ],
      [`${list}?page=2&size=1`, bearer, { code: null, hints: [], page: 2, size: 1, shown: 1, total: 25 }],
      [
        investmentPath,
        bearer,
        { ...keyFields, code: "rate_limit_exceeded", status: 429, retry_after_seconds: 60, investment_id: known.whole },
      ],
    ];
    for (const [path, authorization] of requests) {
      await fetch(sandbox.baseUrl + path, { headers: authorization === undefined ? {} : { authorization } });
    }
    const { data } = await sandbox.requests.list();
    for (const [index, [path, , entry]] of requests.entries()) expect([path, data[index]]).toMatchObject([path, entry]);
    expect(new Set(data.slice(0, 8).map((entry) => requestLine({ ...entry, duration_ms: 1 }))).size).toBe(8);
    expect(JSON.stringify(data)).not.toMatch(/sandbox_partner_|sk_live/);
  });

  test("a cached page of a list has the same entry as a new one", async () => {
    const sandbox = await openControl();
    for (const size of [1, 1, 100]) await read(sandbox, `/offerings/${known.aurora}/investments?size=${size}`);
    await read(sandbox, `/offerings/${known.empty}/investments`, known.keys.empty);
    const { data } = await sandbox.requests.list();
    expect(data.map(({ page, size, shown, total }) => [page, size, shown, total])).toEqual([
      [1, 1, 1, 25],
      [1, 1, 1, 25],
      [1, 100, 25, 25],
      [1, 20, 0, 0],
    ]);
  });

  test("a request with a wrong base path is in the journal of its key, with a hint that names the right path", async () => {
    const sandbox = await openControl();
    const environment = await sandbox.openEnvironment();
    const sendTo = (path: string, key: string, method = "GET"): Promise<Response> =>
      fetch(sandbox.url + path, { method, headers: { authorization: `Bearer ${key}` } });
    for (const [path, suggestion] of [
      [`/v1/investments/${known.whole}?size=2`, ", did you mean /api/v1/investments/:id?"],
      [`/api/offerings/${known.aurora}/investments`, ", did you mean /api/v1/offerings/:id/investments?"],
      [`/offerings/${known.aurora}`, ", did you mean /api/v1/offerings/:id?"],
      [`/${known.keys.partner}`, ""],
    ] as const) {
      const response = await sendTo(path, known.keys.partner);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, "path_not_found"]);
      const entry = (await sandbox.requests.list({ limit: 1 })).data[0];
      expect(entry).toMatchObject({
        path: path.replace(known.keys.partner, "…"),
        status: 404,
        code: "path_not_found",
        key_label: "Aurora Robotics partner",
        operation: null,
        hints: [`unknown path: the API begins at /api/v1${suggestion}`],
      });
    }
    await sendTo("/v1/investments", "unknown", "OPTIONS");
    expect(await sandbox.requests.count()).toBe(5);
    for (const path of ["/", "/openapi.json", "/favicon.ico", "/__admin/health", "/__admin/nothing"]) {
      await sendTo(path, known.keys.partner);
      await sendTo(path, known.keys.partner, "POST");
    }
    expect(await sandbox.requests.count()).toBe(5);
    await sendTo("/v1/investments", environment.keys.partner);
    expect(await environment.requests.count({ path: "/v1/investments", code: "path_not_found" })).toBe(1);
    expect(await sandbox.requests.count()).toBe(5);
  });

  test("hints name only printable parameters", async () => {
    const sandbox = await openControl();
    const names = ["size\n", "create_date[gte]\u001b[2J", "", "\u202esize", "sizes"];
    const query = names.map((name) => `${encodeURIComponent(name)}=1`).join("&");
    await read(sandbox, `/offerings/${known.aurora}/investments?${query}`);
    const [entry] = (await sandbox.requests.list()).data;
    expect(entry?.hints).toEqual([
      "unknown parameter, did you mean size?",
      expect.stringMatching(/^unknown parameter, did you mean create_date\[[gl]te\]\?$/),
      "unknown parameter",
      "unknown parameter sizes, did you mean size?",
    ]);
  });

  test("changing a listed entry does not change the journal", async () => {
    const sandbox = await openControl();
    await read(sandbox, `/offerings/${known.aurora}/investments?pgae=1`);
    await read(sandbox, `/investments/${known.whole}`);
    const journal = await sandbox.requests.list();
    const journalBefore = structuredClone(journal);
    for (const entry of journal.data) {
      Object.assign(entry, { path: "" });
      Object.assign(entry.hints, ["mine"]);
    }
    expect(await sandbox.requests.list()).toEqual(journalBefore);
  });

  test("the journal is filtered and counted", async () => {
    const sandbox = await openControl();
    const keys = await sandbox.keys.list();
    const idOf = (secret: string): string => keys.find(({ key }) => key === secret)?.id ?? "";
    await read(sandbox, `/investments/${known.whole}`);
    await read(sandbox, `/investments/${known.unknown}`);
    await sandbox.clock.advance("1h");
    await read(sandbox, `/offerings/${known.aurora}`, known.keys.marketing);
    const { requests } = sandbox;
    const listIds = async (filter: Parameters<typeof requests.list>[0]): Promise<number[]> => {
      const { data } = await requests.list(filter);
      expect(await requests.count(filter)).toBe(data.length);
      return data.map(({ id }) => id);
    };
    expect(await listIds({})).toEqual([1, 2, 3]);
    expect(await listIds({ status: 404 })).toEqual([2]);
    expect(await listIds({ status: "4xx" })).toEqual([2]);
    expect(await listIds({ status: "2xx", after: 1 })).toEqual([3]);
    expect(await listIds({ status: 0 })).toEqual([]);
    expect(await listIds({ code: "investment_not_found" })).toEqual([2]);
    expect(await listIds({ method: "get", limit: 1 })).toEqual([3]);
    expect(await listIds({ method: "HEAD" })).toEqual([]);
    expect(await listIds({ after: 2 })).toEqual([3]);
    expect(await listIds({ after: 3 })).toEqual([]);
    expect(await listIds({ after: 4 })).toEqual([1, 2, 3]);
    expect(await listIds({ path: "/api/v1/investments/*" })).toEqual([1, 2]);
    expect(await listIds({ path: "/investments/*" })).toEqual([1, 2]);
    expect(await listIds({ path: `/api/v1/investments/${known.whole}` })).toEqual([1]);
    expect(await listIds({ key_id: idOf(known.keys.marketing) })).toEqual([3]);
    expect(await listIds({ key_id: "Aurora Robotics marketing" })).toEqual([3]);
    expect(await listIds({ since: "2026-01-15T12:30:00.000Z" })).toEqual([3]);
    expect(await listIds({ since: "2026-01-15T13:30:00+01:00" })).toEqual([3]);
    expect(await listIds({ limit: 2 })).toEqual([2, 3]);
    expect(await listIds({ limit: 0 })).toEqual([]);
    expect(await listIds({ limit: 1, path: "/api/v1/investments/*" })).toEqual([2]);
    expect(await listIds({ status: undefined })).toEqual([1, 2, 3]);
  });

  test("a request delayed by a fault or a setting is listed as waiting until it ends", async () => {
    const sandbox = await openControl({ delay: "10m" });
    const environment = await sandbox.openEnvironment();
    const { id: fault_id } = await environment.faults.add({ match: { path: "/offerings/*" }, delay: "9m" });
    const path = `/offerings/${known.aurora}?page=1`;
    const [knownKey, unknownKey] = [new AbortController(), new AbortController()];
    const sendTo = (baseUrl: string, key: string, { signal }: AbortController): Promise<unknown> =>
      fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` }, signal }).catch(
        (error: Error) => error.name,
      );
    const knownRequest = sendTo(environment.baseUrl, environment.keys.partner, knownKey);
    await until(async () => (await environment.requests.list()).waiting.length === 1);
    const { data, waiting } = await environment.requests.list({ limit: 1, after: 0 });
    const key = (await environment.keys.list()).find((candidate) => candidate.key === environment.keys.partner);
    const date = "2026-01-15T12:00:00.000Z";
    const waitingRequest = { method: "GET", path: `/api/v1${path}`, date, duration_ms: expect.any(Number) };
    expect(data).toEqual([]);
    expect(waiting).toEqual([{ ...waitingRequest, key_id: key?.id, key_label: key?.label, fault_id }]);
    for (const [filter, waitingCount] of [
      [{ method: "get", path: "/offerings/*", key_id: environment.keys.partner, since: date }, 1],
      [{ path: "/investments/**" }, 0],
      [{ method: "HEAD" }, 0],
      [{ since: "2026-01-15T12:00:01Z" }, 0],
      [{ status: 0 }, 0],
      [{ code: "key_unknown" }, 0],
    ] as const) {
      expect((await environment.requests.list(filter)).waiting).toHaveLength(waitingCount);
    }
    const unknownRequest = sendTo(sandbox.baseUrl, "unknown-key", unknownKey);
    await until(async () => (await sandbox.requests.list()).waiting.length === 1);
    expect((await sandbox.requests.list()).waiting).toEqual([
      { ...waitingRequest, key_id: null, key_label: null, fault_id: null },
    ]);
    await environment.reset();
    expect((await environment.requests.list()).waiting).toHaveLength(1);
    knownKey.abort();
    unknownKey.abort();
    expect(await Promise.all([knownRequest, unknownRequest])).toEqual(["AbortError", "AbortError"]);
    await until(async () => (await environment.requests.list()).data.length === 1);
    expect(await environment.requests.list()).toMatchObject({ data: [{ status: null, fault_id }], waiting: [] });
  });
});

test("the keys of a fixture that a reload replaced are unknown", async () => {
  const fixture = (key: string) => ({ offerings: [{ alias: "mine" }], keys: [{ type: "partner", key }] });
  const { sandbox, raw } = await openSandbox({ fixture: fixture("key-before") });
  await sandbox.reload({ fixture: fixture("key-after") });
  await raw("/api/v1/offerings?page=key-before&size=key-after", { key: "key-after" });
  expect((await sandbox.requests.list()).data.map(({ path }) => path)).toEqual([
    "/api/v1/offerings?page=key-before&size=…",
  ]);
});

test("the journal has the last thousand entries and counts the dropped ones, even after a restore", async () => {
  const { sandbox, raw } = await openSandbox();
  const sendRequest = (): Promise<unknown> => raw("/api/v1/nowhere");
  for (let round = 0; round < 21; round++) await Promise.all(Array.from({ length: 50 }, sendRequest));
  const controls = [sandbox, await connectSandbox(sandbox.url)];
  for (const { requests } of controls) {
    const { data, dropped } = await requests.list();
    expect([data.length, dropped, data[0]?.id, data.at(-1)?.id]).toEqual([1000, 50, 51, 1050]);
    const laterEntries = await requests.list({ after: 20 });
    expect([laterEntries.data.length, laterEntries.dropped]).toEqual([1000, 30]);
    expect(await requests.list({ after: 51 })).toEqual({ data: data.slice(1), dropped: 0, waiting: [] });
  }
  const [journal, snapshot] = [await sandbox.requests.list(), await sandbox.snapshot()];
  await sandbox.reset();
  for (const { requests } of controls) expect(await requests.list()).toEqual({ data: [], dropped: 0, waiting: [] });
  await sendRequest();
  for (const { requests } of controls) {
    expect((await requests.list({ after: 1050 })).data.map(({ id }) => id)).toEqual([1051]);
  }
  for (const control of controls) {
    await control.restore(snapshot);
    expect(await control.requests.list()).toEqual(journal);
  }
  await sendRequest();
  expect(await sandbox.requests.list()).toMatchObject({ data: [...journal.data.slice(1), { id: 1051 }], dropped: 51 });
});

test("in process, an impossible filter is refused by the name of its member", async () => {
  const { requests } = await openControl();
  const wrongStrings = [{ path: 5 }, { key_id: 5 }, { since: 5 }, { code: "key_mising" }, { method: "G T" }];
  for (const filter of [...wrongStrings, { status: "200" }, { status: "6xx" }, { after: -1 }, { limit: -1 }]) {
    const [name = ""] = Object.keys(filter);
    const refusal = { code: "invalid", message: expect.stringContaining(name) as string };
    await expect(requests.list(filter as object), name).rejects.toMatchObject(refusal);
  }
});
