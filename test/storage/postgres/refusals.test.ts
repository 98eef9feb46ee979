import { writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type CommandResult, launch, runProcess, temporaryFolder } from "../../cli/cli.ts";
import { describeWithPostgres, useCluster } from "../../support/postgres.ts";
import { freePort } from "../../support/free-port.ts";
import { known, knownFixture, send } from "../../support/sandbox.ts";
import { listenUntilTestEnds } from "../../support/listening.ts";
import { selfSigned } from "../../support/self-signed.ts";
import { expectNoFailures, on, startProcess } from "./processes.ts";

const password = "secret-of-this-test";

/** The exit code of a command with wrong options. */
const wrongUse = { exit: 2 };

const tablesOf = "select count(*)::int as count from information_schema.tables where table_schema = $1";

describeWithPostgres("what a start over PostgreSQL refuses, where it is installed", () => {
  const use = useCluster();

  function start(args: readonly string[], env: Record<string, string> = {}): Promise<CommandResult> {
    return runProcess(["start", "--port", "0", "--fixture", knownFixture, ...args], { env });
  }

  /** Expects that a start is refused with a message, without the password. */
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

  /** Returns an address of a user who needs a password. */
  async function guardedAddress(schema: string, givenPassword = password): Promise<string> {
    await use.cluster.query(
      `do $$ begin if not exists (select from pg_roles where rolname = 'guarded') then
       create role guarded login password '${password}'; end if; end $$`,
    );
    return use.cluster.address(schema, `guarded:${givenPassword}`);
  }

  test("a refusal names a wrong user, right, database and version, and nothing is created", async () => {
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

  test("a database that began with another fixture is refused and not changed", async () => {
    const db = use.cluster.newAddress();
    const first = await startProcess(db);
    const { id } = await first.sandbox.openEnvironment();
    await first.end("SIGTERM");
    const { code, stderr } = await runProcess(["start", "--port", "0", "--fixture", "demo", "--db", db]);
    expect(stderr).toMatch(
      /^.*PostgreSQL at 127\.0\.0\.1:\d+ has the environment "default" made from the fixture "known"/,
    );
    expect(stderr).toContain("Start with that fixture, or use another database or ?schema=.");
    expect(code).toBe(1);
    const again = await startProcess(db);
    expect((await again.sandbox.environments()).map((environment) => environment.id)).toEqual(["default", id]);
  });

  test("a role that lacks rights on existing tables is told which, and can start once it has them", async () => {
    const db = await guardedAddress("of_others");
    const first = await startProcess(use.cluster.address("of_others"));
    const { id } = await first.sandbox.openEnvironment();
    await first.end("SIGTERM");
    const run = (text: string) => use.cluster.query(text);
    const table = "grant select, insert, update, delete on table of_others.sandbox_environments to guarded";
    const meta = "grant select on table of_others.sandbox_meta to guarded";
    const numbers = "grant usage on sequence of_others.sandbox_environments_number_seq to guarded";
    const ids = "grant usage on sequence of_others.sandbox_ids to guarded";
    const schema = "grant usage on schema of_others to guarded";
    const lacking = new Set([schema, table, meta, numbers, ids]);
    for (const grant of [ids, schema, meta, numbers]) {
      const { code, stderr } = await start(["--db", db]);
      expect(code).toBe(1);
      expect(stderr).toContain('refuses its tables to "guarded". Their owner may run: ');
      expect(new Set(stderr.match(/grant [^;]+(?=;)/g))).toEqual(lacking);
      await run(grant);
      lacking.delete(grant);
    }
    await run("grant select, update, delete on table of_others.sandbox_environments to guarded");
    const insert = "run: grant insert on table of_others.sandbox_environments to guarded;\n";
    await expectRefusal(insert, ["--db", db]);
    await run(table);
    const second = await startProcess(db);
    expect((await second.sandbox.environments()).map((environment) => environment.id)).toEqual(["default", id]);
    await second.sandbox.openEnvironment();
    // The response names a right that is lost later. Once granted again, it works at once.
    await run("revoke insert on table of_others.sandbox_environments from guarded");
    await expect(second.sandbox.openEnvironment()).rejects.toMatchObject({
      code: "storage_unavailable",
      message: expect.stringMatching(/PostgreSQL says: permission denied for table sandbox_environments\.$/),
    });
    await run(table);
    await second.sandbox.openEnvironment();
  });

  test.each(["LATIN1", "SQL_ASCII", "EUC_JP"])("a database of the encoding %s is refused", async (encoding) => {
    const name = `in_${encoding.toLowerCase()}`;
    await use.cluster.query(`create database ${name} encoding '${encoding}' template template0`);
    const db = use.cluster.address("public").replace("/postgres?", `/${name}?`);
    await expectRefusal(
      `has a database of the encoding ${encoding}, which cannot store every character. Use a database of UTF8: `,
      ["--db", db],
    );
  });

  test("a read-only database is refused", async () => {
    const db = await guardedAddress("public");
    await use.cluster.query("alter role guarded set default_transaction_read_only = on");
    await expectRefusal("is read-only, as a standby is. Use the address of the primary.", ["--db", db]);
    await use.cluster.query("alter role guarded reset default_transaction_read_only");
  });

  test("settings of a role for its sessions change nothing", async () => {
    const db = await guardedAddress("settled");
    await use.cluster.query("create schema settled authorization guarded");
    await use.cluster.query("create schema elsewhere authorization guarded");
    const settings = {
      search_path: "elsewhere",
      default_transaction_isolation: "serializable",
      lock_timeout: "1ms",
      idle_session_timeout: "1s",
    };
    for (const [name, value] of Object.entries(settings)) {
      await use.cluster.query(`alter role guarded set ${name} = '${value}'`);
    }
    const processes = [await startProcess(db), await startProcess(db)];
    const [here, there] = await on(processes, (await processes[0]?.sandbox.openEnvironment())?.id ?? "");
    for (let turn = 0; turn < 5; turn++) {
      const commands = await Promise.all([here?.clock.advance("1h"), there?.clock.advance("1h")]);
      const latest = commands.map((clock) => clock?.now ?? "").toSorted()[1];
      expect([(await here?.clock.get())?.now, (await there?.clock.get())?.now]).toEqual([latest, latest]);
    }
    expectNoFailures(processes);
    expect(await use.cluster.query(tablesOf, ["elsewhere"])).toEqual([{ count: 0 }]);
    await use.cluster.query("alter role guarded reset all");
  });

  test("tables of another program with the same names are refused and not changed", async () => {
    const db = use.cluster.newAddress();
    const schema = new URL(db).searchParams.get("schema") ?? "";
    await startProcess(db).then(({ end }) => end("SIGTERM"));
    await use.cluster.query("alter table sandbox_environments rename column head to heads", [], schema);
    await expectRefusal("cannot be used: column e.head does not exist", ["--db", db]);
    await use.cluster.query("drop table sandbox_environments", [], schema);
    // A start creates missing tables again.
    await startProcess(db).then(({ end }) => end("SIGTERM"));
    await use.cluster.query("truncate sandbox_meta", [], schema);
    await startProcess(db).then(({ end }) => end("SIGTERM"));
    await use.cluster.query("drop table sandbox_meta; create table sandbox_meta (name text)", [], schema);
    await expectRefusal('cannot be used: column "format" does not exist', ["--db", db]);
  });

  test("a self-signed certificate is refused at once", async () => {
    const server = createServer((socket) => {
      socket.once("data", () => {
        socket.write("S");
        new TLSSocket(socket, { isServer: true, cert: selfSigned, key: selfSigned }).on("error", () => {});
      });
    });
    onTestFinished(() => void server.close());
    const port = await listenUntilTestEnds(server);
    for (const mode of ["require", "verify-full", "verify-ca"]) {
      const db = `postgres://guarded:${password}@127.0.0.1:${port}/sandbox?sslmode=${mode}`;
      await expectRefusal(`PostgreSQL at 127.0.0.1:${port} cannot be used: self-signed certificate.`, ["--db", db]);
    }
    const plain = `${use.cluster.address("public")}&sslmode=verify-full`;
    await expectRefusal("cannot be used: The server does not support SSL connections.", ["--db", plain]);
  });

  test("an invalid address is refused, and its password is not repeated", async () => {
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
    // A person who writes these expects the environments of "team", and would get those of "public".
    for (const query of ["Schema=team", "currentSchema=team", "search_path=team", "options=-csearch_path%3Dteam"]) {
      const address = `postgres://guarded:${password}@127.0.0.1:${port}/postgres?${query}`;
      await expectRefusal(`does not choose the schema; ${expected}`, ["--db", address], wrongUse);
    }
  });

  test("a refusal names a server that did not respond for half a minute", async () => {
    const port = await freePort();
    const db = `postgres://guarded:${password}@127.0.0.1:${port}/sandbox`;
    const place = `PostgreSQL at 127.0.0.1:${port}`;
    await expectRefusal(
      `warning  waiting for ${place}: connect ECONNREFUSED\n${place} does not respond: connect ECONNREFUSED.\n`,
      ["--db", db],
    );
  });

  test("a start that waits for PostgreSQL continues when it responds", async () => {
    const port = await freePort();
    const db = use.cluster.newAddress().replace(String(use.cluster.port), String(port));
    const running = launch(["start", "--port", "0", "--fixture", knownFixture, "--log-format", "json", "--db", db]);
    const { message } = await running.event("warning");
    expect(message).toBe(`waiting for PostgreSQL at 127.0.0.1:${port}: connect ECONNREFUSED`);
    const relay = createServer((incoming) => {
      const outgoing = connect(use.cluster.port, "127.0.0.1");
      incoming
        .on("error", () => {})
        .pipe(outgoing.on("error", () => {}))
        .pipe(incoming);
    });
    relay.listen(port, "127.0.0.1");
    onTestFinished(() => void relay.close());
    await running.event("ready");
    await running.stop("SIGTERM");
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
      "--watch needs --db FILE or no --db: processes with a common database would serve different files.",
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

  test("the password of the database is in no output and no response", async () => {
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
    const texts: string[] = [];
    for (const path of ["/server", "/health", "/environments", "/environments/default"]) {
      texts.push((await send(url, `/__admin${path}`, { key: null })).text);
    }
    expect((await send(url, `/api/v1/offerings/${known.aurora}`, { key: password })).status).toBe(401);
    texts.push((await send(url, `/__admin/environments/${password}/clock`, { key: null })).text);
    await use.cluster.query("drop table sandbox_environments", [], "guarded_schema");
    texts.push((await send(url, "/__admin/environments", { key: null })).text);
    const headers = { "content-type": "application/json" };
    texts.push(
      (await send(url, "/__admin/clock/advance", { method: "POST", key: null, headers, body: '{"by":"1h"}' })).text,
    );
    await running.stop("SIGTERM");
    expect([...texts, ...running.lines, running.stderr].join("\n")).not.toContain(password);
  });
});
