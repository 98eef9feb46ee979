import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { type CommandResult, launch, runProcess, temporaryFolder } from "../../cli/cli.ts";
import { describeWithPostgres, useCluster } from "../../support/postgres.ts";
import { freePort } from "../../support/free-port.ts";
import { known, knownFixture, send } from "../../support/sandbox.ts";
import { startProcess } from "./processes.ts";

const password = "secret-of-this-test";

/** The exit code of a command that was written wrongly. */
const wrongUse = { exit: 2 };

const tablesOf = "select count(*)::int as count from information_schema.tables where table_schema = $1";

describeWithPostgres("what a start over PostgreSQL refuses, where it is installed", () => {
  const use = useCluster();

  function start(args: readonly string[], env: Record<string, string> = {}): Promise<CommandResult> {
    return runProcess(["start", "--port", "0", "--fixture", knownFixture, ...args], { env });
  }

  /** Expects a refusal in words, without the password. */
  async function expectRefusal(
    words: string | RegExp,
    args: readonly string[],
    { exit = 1, env = {} }: { readonly exit?: number; readonly env?: Record<string, string> } = {},
  ): Promise<void> {
    const { code, stdout, stderr } = await start(args, env);
    expect(stderr).toMatch(words);
    expect(stdout + stderr).not.toContain(password);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(code).toBe(exit);
  }

  /** An address of the user whose password PostgreSQL asks for. */
  async function guardedAddress(schema: string, given = password): Promise<string> {
    await use.cluster.query(
      `do $$ begin if not exists (select from pg_roles where rolname = 'guarded') then
       create role guarded login password '${password}'; end if; end $$`,
    );
    return use.cluster.address(schema, `guarded:${given}`);
  }

  test("a wrong user, right, database, version and fixture are named, and nothing is created", async () => {
    const { port } = use.cluster;
    const place = `PostgreSQL at 127.0.0.1:${port}`;
    const wrong = await guardedAddress("public", `${password}-not`);
    await expectRefusal(`${place} refuses "guarded": password authentication failed for user "guarded".`, [
      "--db",
      wrong,
    ]);
    await expectRefusal(`${place} refuses "guarded": it asks for a password.`, [
      "--db",
      use.cluster.address("public", "guarded"),
    ]);
    const guarded = await guardedAddress("public");
    const rights = `${place} may not create tables in the schema "public" for "guarded"; docs/sharing.md has`;
    await expectRefusal(rights, [], { env: { OFFERING_SANDBOX_DB: guarded } });
    await expectRefusal('may not create tables in the schema "team"', ["--db", await guardedAddress("team")]);
    expect(await use.cluster.query(tablesOf, ["public"])).toEqual([{ count: 0 }]);
    const missing = use.cluster.address("public").replace("/postgres?", "/none?");
    await expectRefusal(`${place} refuses "sandbox": database "none" does not exist.`, ["--db", missing]);
    for (const [format, words] of [
      [1000, "has tables of a later version of offering-sandbox."],
      [0, "has tables of an earlier version of offering-sandbox."],
    ] as const) {
      const schema = `format_${format}`;
      await use.cluster.query(`create schema ${schema}`);
      await use.cluster.query("create table sandbox_meta (format int, link_secret bytea)", [], schema);
      await use.cluster.query("insert into sandbox_meta values ($1, '')", [format], schema);
      await expectRefusal(words, ["--db", use.cluster.address(schema)]);
      expect(await use.cluster.query(tablesOf, [schema])).toEqual([{ count: 1 }]);
    }
  });

  test("a database begun with another fixture is refused, and keeps what it has", async () => {
    const db = use.cluster.newAddress();
    const first = await startProcess(db);
    const { id } = await first.sandbox.openEnvironment();
    await first.end("SIGTERM");
    const { code, stderr } = await runProcess(["start", "--port", "0", "--fixture", "demo", "--db", db]);
    expect(stderr).toMatch(
      /^.*PostgreSQL at 127\.0\.0\.1:\d+ keeps the environment "default" made from the fixture "known"/,
    );
    expect(stderr).toContain("Start with that fixture, or use another database or ?schema=.");
    expect(code).toBe(1);
    const again = await startProcess(db);
    expect((await again.sandbox.environments()).map((one) => one.id)).toEqual(["default", id]);
  });

  test("an address that cannot be one is refused, and its password is not repeated", async () => {
    const expected = "expected postgres://user@host:port/database, perhaps with ?schema=NAME.";
    const { port } = use.cluster;
    await expectRefusal(
      `db is not an address; ${expected}`,
      ["--db", `postgres://guarded:${password}@host:port/x`],
      wrongUse,
    );
    for (const schema of ["", "Team", "a-b", "s".repeat(60), 'x"; drop table y; --']) {
      const address = `postgres://guarded:${password}@127.0.0.1:${port}/postgres?schema=${encodeURIComponent(schema)}`;
      await expectRefusal("expected postgres://user@host:port/database", ["--db", address], wrongUse);
    }
    // Taken for a file, its path would be in a message.
    for (const place of [" postgres://", "mysql://", "postgres:/"]) {
      const args = ["--db", `${place}guarded:${password}@127.0.0.1:${port}/sandbox`];
      await expectRefusal("db is an address of another kind; expected a file, or postgres://", args, wrongUse);
    }
  });

  test("a server that does not answer is named after half a minute", async () => {
    const port = await freePort();
    const db = `postgres://guarded:${password}@127.0.0.1:${port}/sandbox`;
    await expectRefusal(`PostgreSQL at 127.0.0.1:${port} does not answer: connect ECONNREFUSED.`, ["--db", db]);
  });

  test("without the package pg, a start says how to install it", async () => {
    const folder = temporaryFolder();
    const [hooks, main] = [join(folder, "hooks.mjs"), join(folder, "main.mjs")];
    writeFileSync(
      hooks,
      `export async function resolve(name, context, next) {
        if (name !== "pg") return next(name, context);
        throw Object.assign(new Error("Cannot find package 'pg'"), { code: "ERR_MODULE_NOT_FOUND" });
      }`,
    );
    writeFileSync(
      main,
      `import { register } from "node:module"; register(${JSON.stringify(pathToFileURL(hooks).href)});`,
    );
    const env = { NODE_OPTIONS: `--import=${pathToFileURL(main).href}` };
    const db = use.cluster.newAddress();
    await expectRefusal('--db postgres://… needs the package "pg": npm install pg.', ["--db", db], { env });
  });

  test("--watch and --shard are refused", async () => {
    const db = use.cluster.newAddress();
    await expectRefusal(
      "--watch needs --db FILE or none: processes over one database would differ.",
      ["--db", db, "--watch"],
      wrongUse,
    );
    await expectRefusal(
      "--shard is gone: start the processes with one --db postgres://…; see docs/sharing.md.",
      ["--shard", "s1"],
      wrongUse,
    );
    expect(await use.cluster.query(tablesOf, [new URL(db).searchParams.get("schema")])).toEqual([{ count: 0 }]);
  });

  test("beyond loopback, processes need the same admin token", async () => {
    const db = use.cluster.newAddress();
    await expectRefusal(/same --admin-token/, ["--db", db, "--host", "0.0.0.0"], wrongUse);
  });

  test("the password of the database is in no output and no answer", async () => {
    const db = await guardedAddress("guarded_schema");
    await use.cluster.query("create schema guarded_schema authorization guarded");
    const running = launch(
      [
        "start",
        "--port",
        "0",
        "--fixture",
        knownFixture,
        "--log-level",
        "debug",
        "--log-format",
        "json",
        "--rate-limit",
        "0",
      ],
      { env: { OFFERING_SANDBOX_DB: db } },
    );
    const { url } = (await running.event("ready")) as unknown as { url: string };
    const said: string[] = [];
    for (const path of ["/server", "/health", "/environments", "/environments/default"]) {
      said.push((await send(url, `/__admin${path}`, { key: null })).text);
    }
    expect((await send(url, `/api/v1/offerings/${known.aurora}`, { key: password })).status).toBe(401);
    said.push((await send(url, `/__admin/environments/${password}/clock`, { key: null })).text);
    await use.cluster.query("drop table sandbox_environments", [], "guarded_schema");
    said.push((await send(url, "/__admin/environments", { key: null })).text);
    const headers = { "content-type": "application/json" };
    said.push(
      (await send(url, "/__admin/clock/advance", { method: "POST", key: null, headers, body: '{"by":"1h"}' })).text,
    );
    await running.stop("SIGTERM");
    expect([...said, ...running.lines, running.stderr].join("\n")).not.toContain(password);
  });
});
