import { expect, onTestFinished, test } from "vitest";
import { startRunning } from "../../../src/sandbox/start-running.ts";
import { newFile } from "../databases.ts";
import { describeWithPostgres, useCluster } from "../../support/postgres.ts";
import { known, knownFixture, send, startForTest } from "../../support/sandbox.ts";

/** The changes that another program may make to the row of an environment, as assignments. */
const forms: Readonly<Record<string, string>> = {
  "a document that is not JSON": "document = 'x'",
  "an empty document": "document = ''",
  "the document null": "document = 'null'",
  "a number for a document": "document = '7'",
  "a list for a document": "document = '[]'",
  "a document without members": "document = '{}'",
  "a document that was cut": "document = left(document, 500)",
  "a document with another letter": "document = replace(document, 'REGISTRATION', 'REGISTRATIOM')",
  "a document of 1.x": `document = replace(document, '"version":3', '"version":2')`,
  "a document of a later version": `document = replace(document, '"version":3', '"version":4')`,
  "the document of another environment":
    "document = (select document from SCHEMA.sandbox_environments where id = 'default')",
  "another uid": "uid = 'x'",
  "an empty uid": "uid = ''",
  "the head null": "head = 'null'",
  "a string for a head": `head = '"x"'`,
  "a head without members": "head = '{}'",
  "a head with an invalid clock": `head = '{"clock":{"now":"x","speed":"y"}}'`,
  "a head with a clock out of range": `head = '{"clock":{"now":"+275760-09-13T00:00:00.000Z","speed":1e300}}'`,
  "a list for a head": "head = '[[[]]]'",
  "traffic that is not JSON": "traffic = 'x'",
  "the traffic null": "traffic = 'null'",
  "a number for traffic": "traffic = '7'",
  "a list for traffic": "traffic = '[]'",
  "traffic without members": "traffic = '{}'",
  "numbers in traffic": `traffic = '{"journal":7,"limits":7,"responses":"x","handover":7,"coverage":7,"waiting":7}'`,
  "lists in traffic": `traffic = '{"journal":[],"limits":[7],"responses":[],"handover":[],"coverage":[],"waiting":[7]}'`,
  "nulls in traffic": `traffic = '{"journal":null,"limits":null,"responses":null,"handover":null,"coverage":null,"waiting":null}'`,
  "an invalid process": `traffic = '{"waiting":[{"process":"x","request":{}}]}'`,
  "a process that is a list": `traffic = '{"waiting":[{"process":["1"],"request":{"duration_ms":"x"}}]}'`,
  "an invalid journal": `traffic = '{"journal":{"entries":"x","series":-1}}'`,
  "a journal of nonsense": `traffic = '{"journal":{"entries":[{"id":"x"},null],"next":"y","dropped":{},"series":null}}'`,
  "limits of nonsense": `traffic = '{"limits":[{"key":"x"},null]}'`,
  "coverage of nonsense": `traffic = '{"coverage":{"x":{"y":"z"}}}'`,
  "written at no time": "written = 'infinity'",
  "written before all time": "written = '-infinity'",
  "written in the future": "written = '294276-01-01'",
  "written long ago": "written = '4713-01-01 BC'",
  "a negative number": "number = -9223372036854775808",
  "an owner that is not a session": "owner = 0",
  "an owner that has ended": "owner = -9223372036854775808",
  "no keys": "keys = '{}'",
  "unknown keys": "keys = '{0,-1}'",
  "a key that is null": "keys = array_append(keys, null)",
  "keys in a table": "keys = '{{1,2},{3,4}}'",
  "an id that no environment can have": "id = 'a/b c'",
  "an id of a kilobyte": "id = repeat('x', 1000)",
  "an empty id": "id = ''",
  "an unknown id": "id = id || '-other'",
  "no expiry": "expires_at = 'infinity'",
};

describeWithPostgres("rows that another program has written, where PostgreSQL is installed", () => {
  const use = useCluster();

  test("are readable or a conflict, and other environments continue", async () => {
    const db = use.cluster.newAddress();
    const schema = new URL(db).searchParams.get("schema") ?? "";
    const start = async () => {
      const timings = { takeoverDelayMs: 50, leaseDurationMs: 50, heartbeatIntervalMs: 20, queryTimeoutMs: 1000 };
      const failures: unknown[] = [];
      const options = { db, fixture: knownFixture, rateLimit: 0, onFailure: (error: unknown) => failures.push(error) };
      const { sandbox } = await startRunning(options, { timings });
      onTestFinished(() => sandbox.close());
      return { sandbox, failures };
    };
    const { sandbox: before } = await start();
    const opened: { id: string; key: string; form: string }[] = [];
    for (const form of [...Object.keys(forms), "sound"]) {
      const { id, keys } = await before.openEnvironment({ scenarios: [] });
      opened.push({ id, key: keys.partner, form });
      await send(before.url, `/api/v1/offerings/${known.aurora}`, { key: keys.partner });
    }
    await before.close();
    for (const { id, form } of opened) {
      const change = forms[form]?.replaceAll("SCHEMA", schema);
      if (change) await use.cluster.query(`update sandbox_environments set ${change} where id = $1`, [id], schema);
    }
    const { sandbox, failures } = await start();
    const admin = (path: string, method = "GET", body?: object) =>
      send(sandbox.url, `/__admin${path}`, {
        key: null,
        method,
        ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      });
    const found: Record<string, unknown> = {};
    const details = new Set<unknown>();
    for (const { id, key, form } of opened) {
      const responses = [
        await send(sandbox.url, `/api/v1/offerings/${known.aurora}`, { key }),
        await admin(`/environments/${id}/clock`),
        await admin(`/environments/${id}`),
        await admin(`/environments/${id}/requests`),
        await admin(`/environments/${id}/snapshot`),
        await admin(`/environments/${id}/clock/advance`, "POST", { by: "1h" }),
        await admin(`/environments/${id}/clock/advance`, "POST", { by: "1h" }),
        await admin(`/environments/${id}`, "DELETE"),
      ];
      for (const { status, json } of responses.slice(1)) if (status === 409) details.add(json.detail);
      found[form] = responses.map(({ status }) => status).join(" ");
    }
    const sound = "200 200 200 200 200 200 200 204";
    const unreadable = "409 409 409 409 409 409 409 409";
    // The row has another key.
    const otherKey = "401 200 200 200 200 200 200 204";
    const gone = "401 404 404 404 404 404 404 404";
    // The key leads to a row of another id.
    const moved = "409 404 404 404 404 404 404 404";
    const expectedStatuses = new Set<unknown>([sound, unreadable, otherKey, gone, moved]);
    expect(Object.entries(found).filter(([, statuses]) => !expectedStatuses.has(statuses))).toEqual([]);
    expect(found).toMatchObject({ sound, "a document that is not JSON": unreadable, "another uid": unreadable });
    expect([...details]).toEqual([
      "The row of the environment in the database is not readable. An administrator can delete the row.",
    ]);
    const lists = [await admin("/environments"), await admin("/environments?summary=true")];
    for (const { status, json } of lists) {
      expect(status).toBe(200);
      expect(json.data[0]).toMatchObject({ id: "default" });
    }
    expect((await admin("/clock")).status).toBe(200);
    expect(failures).toEqual([]);
  });

  test("ids that no environment can have are not found, like over a file", async () => {
    const options = { fixture: knownFixture, rateLimit: 0 };
    const sandboxes = [
      await startForTest({ ...options, db: use.cluster.newAddress() }),
      await startForTest({ ...options, db: newFile() }),
    ];
    const ids = [
      "%00",
      "a%00b",
      "%ED%A0%80",
      "%F0%9F%98%80",
      "x".repeat(65),
      "x".repeat(5000),
      "%20",
      "..%2Fx",
      "%2500",
    ];
    for (const id of ids) {
      for (const [method, path] of [
        ["GET", "/clock"],
        ["GET", ""],
        ["DELETE", ""],
        ["DELETE", "/requests"],
      ] as const) {
        const [here, there] = await Promise.all(
          sandboxes.map(({ url }) => send(url, `/__admin/environments/${id}${path}`, { key: null, method })),
        );
        expect([here?.status, here?.text]).toEqual([404, there?.text]);
      }
    }
    for (const id of ["\0", "\ud800", "x".repeat(5000)]) {
      for (const sandbox of sandboxes) {
        await expect(sandbox.environment(id)).rejects.toMatchObject({ code: "not_found" });
      }
    }
  });

  test("characters that PostgreSQL does not accept in a string are stored and read unchanged", async () => {
    const db = use.cluster.newAddress();
    const before = await startForTest({ db, fixture: knownFixture });
    const label = "\u{1F600} \u00e9 \u4e2d";
    const { id } = await before.openEnvironment({ label, scenarios: [] });
    const name = "a\u0000b\ud800c\u{10FFFF}";
    await (
      await before.environment(id)
    ).faults.add({ respond: { status: 404 }, match: { path: `/offerings/${name}` } });
    const faults = await (await before.environment(id)).faults.list();
    await before.close();
    const after = await startForTest({ db, fixture: knownFixture });
    expect((await after.environments()).find((environment) => environment.id === id)?.label).toBe(label);
    expect(await (await after.environment(id)).faults.list()).toEqual(faults);
  });

  test("a row that takes longer than calls wait is read, and the session continues", async () => {
    const db = use.cluster.newAddress();
    const schema = new URL(db).searchParams.get("schema") ?? "";
    const before = await startForTest({ db, fixture: knownFixture });
    for (const id of ["slow", "quick"]) await before.openEnvironment({ id, scenarios: [] });
    await before.close();
    await use.cluster.query(
      `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(4); return new; end $$;
       create trigger slow before update on sandbox_environments for each row
       when (new.id = 'slow' and old.owner is null and new.owner is not null) execute function slow()`,
      [],
      schema,
    );
    const { sandbox } = await startRunning({ db, fixture: knownFixture }, { timings: { queryTimeoutMs: 3000 } });
    onTestFinished(() => sandbox.close());
    const processId = async () => (await send(sandbox.url, "/__admin/server", { key: null })).json.process as string;
    const first = await processId();
    const [slow, quick] = [await sandbox.environment("slow"), await sandbox.environment("quick")];
    const command = slow.clock.advance("1h");
    await quick.clock.advance("1h");
    const { now } = await command;
    expect((await slow.clock.get()).now >= now).toBe(true);
    expect(await processId()).toBe(first);
  });
});
