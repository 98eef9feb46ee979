import { describe, expect, test } from "vitest";
import type { JournalEntry, RequestFilter, Sandbox } from "../../src/control.ts";
import { known } from "../support/sandbox.ts";
import { writeFixture } from "../support/write-fixture.ts";
import { openControl, read, ways } from "./sandboxes.ts";

describe.each(ways)("%s", (way) => {
  test("the journal tells what was asked, oldest first, without the text of any key", async () => {
    const sandbox = await openControl(way);
    await read(sandbox, `/investments/${known.whole}`);
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
          method: "GET",
          path: `/api/v1/investments/${known.whole}`,
          status: 200,
          milliseconds: expect.any(Number),
          key_id: partner?.id,
          environment: "default",
          hints: [],
          fault_id: null,
        },
        expect.objectContaining({
          id: 2,
          date: "2026-01-15T13:00:00.000Z",
          status: 200,
          hints: [expect.stringContaining("create_date[gte]")],
        }),
        expect.objectContaining({ id: 3, status: 401, key_id: null }),
      ],
      dropped: 0,
    });
    expect(JSON.stringify(list)).not.toContain("sandbox_");
  });

  test("the journal tells no key that looks like a word, issued or still to come", async () => {
    const [issued, coming, sliced] = ["wordsonlyserving", "20260115", "words/only/v1"];
    const offering = `/api/v1/offerings/${known.aurora}`;
    const asked = [
      `/${issued}?${issued}=1&page=${coming}`,
      `/offerings/${known.aurora}?${issued}=1&page=${issued}&${issued}[gte]=-${coming}`,
      `/offerings/${sliced}/x.${issued}`,
    ];
    const ask = async (sandbox: Sandbox): Promise<unknown> => {
      for (const path of asked) await read(sandbox, path);
      return (await sandbox.requests.list()).data.map(({ path, hints }) => [path, ...hints]);
    };
    // Nobody's key yet.
    expect(await ask(await openControl(way))).toEqual([
      [`/api/v1/${issued}?${issued}=1&page=${coming}`],
      [
        `${offering}?${issued}=1&page=…&${issued}[gte]=-${coming}`,
        ...[issued, "page", `${issued}[gte]`].map((name) => `unknown parameter ${name}`),
      ],
      [`/api/v1/offerings/${sliced}/x.${issued}`],
    ]);
    const keys = [
      { type: "partner", offering: "only", key: issued },
      { type: "partner", offering: "only", key: sliced },
      { type: "partner", offering: "only", key: coming, create_date: "2026-02-01T00:00:00.000Z" },
    ];
    const fixture = await writeFixture({ offerings: [{ alias: "only" }], keys });
    expect(await ask(await openControl(way, { fixture, clock: "2026-01-15T12:00:00.000Z" }))).toEqual([
      ["/api/v1/…?…=1&page=…"],
      [`${offering}?…=1&page=…&…[gte]=-…`, ...["…", "page", "…[gte]"].map((name) => `unknown parameter ${name}`)],
      ["/api/v1/offerings/…/x.…"],
    ]);
  });

  test("hints name only what can be printed", async () => {
    const sandbox = await openControl(way);
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

  test("whoever has an entry cannot change the journal by it", async () => {
    const sandbox = await openControl(way);
    await read(sandbox, `/offerings/${known.aurora}/investments?pgae=1`);
    await read(sandbox, `/investments/${known.whole}`);
    const first = await sandbox.requests.list();
    const before = structuredClone(first);
    for (const entry of first.data) {
      Object.assign(entry, { path: "" });
      Object.assign(entry.hints, ["mine"]);
    }
    expect(await sandbox.requests.list()).toEqual(before);
  });

  test("the journal is filtered and counted", async () => {
    const sandbox = await openControl(way);
    const keys = await sandbox.keys.list();
    const idOf = (secret: string): string => keys.find(({ key }) => key === secret)?.id ?? "";
    await read(sandbox, `/investments/${known.whole}`);
    await read(sandbox, `/investments/${known.unknown}`);
    await sandbox.clock.advance("1h");
    await read(sandbox, `/offerings/${known.aurora}`, known.keys.marketing);
    const { requests } = sandbox;
    const ids = async (filter: Parameters<typeof requests.list>[0]): Promise<number[]> => {
      const { data } = await requests.list(filter);
      expect(await requests.count(filter)).toBe(data.length);
      return data.map(({ id }) => id);
    };
    expect(await ids({})).toEqual([1, 2, 3]);
    expect(await ids({ status: 404 })).toEqual([2]);
    expect(await ids({ path: "/api/v1/investments/*" })).toEqual([1, 2]);
    expect(await ids({ path: "/investments/*" })).toEqual([1, 2]);
    expect(await ids({ path: `/api/v1/investments/${known.whole}` })).toEqual([1]);
    expect(await ids({ key_id: idOf(known.keys.marketing) })).toEqual([3]);
    expect(await ids({ since: "2026-01-15T12:30:00.000Z" })).toEqual([3]);
    expect(await ids({ since: "2026-01-15T13:30:00+01:00" })).toEqual([3]);
    expect(await ids({ limit: 2 })).toEqual([2, 3]);
    expect(await ids({ limit: 0 })).toEqual([]);
    expect(await ids({ limit: 1, path: "/api/v1/investments/*" })).toEqual([2]);
    expect(await ids({ status: undefined })).toEqual([1, 2, 3]);
  });

  test("filters combine: an entry is listed if it matches each", async () => {
    const sandbox = await openControl(way);
    const keys = await sandbox.keys.list();
    for (const id of [known.whole, known.unknown]) {
      for (const [key, tail] of [
        [known.keys.partner, ""],
        [known.keys.marketing, ""],
        [known.keys.partner, "/status"],
        [known.keys.marketing, "/status"],
      ] as const) {
        await read(sandbox, `/investments/${id}${tail}`, key);
        await sandbox.clock.advance("1m");
      }
    }
    const all = (await sandbox.requests.list()).data;
    const key_id = keys.find(({ key }) => key === known.keys.partner)?.id ?? "";
    const since = all[2]?.date ?? "";
    const conditions: readonly (readonly [RequestFilter, (entry: JournalEntry) => boolean])[] = [
      [{ path: "/investments/*" }, ({ path }) => !path.endsWith("/status")],
      [{ status: 200 }, ({ status }) => status === 200],
      [{ key_id }, (entry) => entry.key_id === key_id],
      [{ since }, ({ date }) => date >= since],
    ];
    for (let chosen = 0; chosen < 2 ** conditions.length; chosen++) {
      const those = conditions.filter((_, index) => (chosen >> index) % 2 === 1);
      const filter: RequestFilter = Object.assign({}, ...those.map(([one]) => one));
      const expected = all.filter((entry) => those.every(([, holds]) => holds(entry)));
      expect((await sandbox.requests.list(filter)).data).toEqual(expected);
      expect((await sandbox.requests.list({ ...filter, limit: 1 })).data).toEqual(expected.slice(-1));
    }
  });

  test("the journal is emptied, and counts on", async () => {
    const sandbox = await openControl(way);
    await read(sandbox, `/investments/${known.whole}`);
    await sandbox.requests.clear();
    expect(await sandbox.requests.list()).toEqual({ data: [], dropped: 0 });
    await read(sandbox, `/investments/${known.whole}`);
    expect((await sandbox.requests.list()).data.map(({ id }) => id)).toEqual([2]);
  });

  test("the journal keeps the last thousand, and says how many it dropped", async () => {
    const sandbox = await openControl(way);
    for (let round = 0; round < 21; round++) {
      await Promise.all(Array.from({ length: 50 }, () => read(sandbox, `/investments/${known.whole}/status`)));
    }
    const { data, dropped } = await sandbox.requests.list();
    expect([data.length, dropped, data[0]?.id, data.at(-1)?.id]).toEqual([1000, 50, 51, 1050]);
  });

  test("commands are no requests", async () => {
    const sandbox = await openControl(way);
    await sandbox.clock.advance("1h");
    expect(await sandbox.requests.count()).toBe(0);
  });
});

test.each([{ path: 5 }, { key_id: 5 }, { since: 5 }, { status: "200" }, { limit: -1 }])(
  "in process, a filter that cannot be is refused: %j",
  async (filter) => {
    const sandbox = await openControl("in process");
    await read(sandbox, `/investments/${known.whole}`);
    const name = Object.keys(filter)[0] ?? "";
    await expect(sandbox.requests.list(filter as object)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining(name),
    });
  },
);
