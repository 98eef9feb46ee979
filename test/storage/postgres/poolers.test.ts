import { Client } from "pg";
import { expect, test } from "vitest";
import { runProcess } from "../../cli/cli.ts";
import { describeWithPgBouncer, useCluster } from "../../support/postgres.ts";
import { knownFixture } from "../../support/sandbox.ts";
import { on, startProcess, startProcesses } from "./processes.ts";
import { whileWriting, Writer } from "./writers.ts";

const timings = { heartbeatIntervalMs: 200, leaseDurationMs: 600, takeoverDelayMs: 600, idleSessionTimeoutMs: 2000 };

describeWithPgBouncer("PostgreSQL behind PgBouncer, where both are installed", () => {
  const use = useCluster();

  async function refusalOf(db: string): Promise<string> {
    const { code, stdout, stderr } = await runProcess(["start", "--port", "0", "--fixture", knownFixture, "--db", db]);
    expect([code, stdout]).toEqual([1, ""]);
    return stderr.trim();
  }

  /** Waits until a pooler rotates several connections, which it opens after the first one of a client. */
  async function waitForSlices(address: string): Promise<void> {
    const client = new Client(address);
    await client.connect();
    const pids = new Set<number>();
    while (pids.size < 4) {
      const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid, pg_sleep(0.01)");
      for (const { pid } of rows) pids.add(pid);
    }
    await client.end();
  }

  test.each([
    ["its defaults", []],
    ["no reset of a connection between clients", ["server_reset_query ="]],
  ])("two processes act for one environment in session mode, with %s", async (_, lines) => {
    const { address } = await use.cluster.startBouncer("pool_mode = session", ...lines);
    const db = address(new URL(use.cluster.newAddress()).searchParams.get("schema") ?? "");
    const processes = await startProcesses(2, db, {}, timings);
    const writers = await Promise.all(processes.map((server) => Writer.open(server)));
    await whileWriting(
      writers,
      (nth) => processes[nth % 2] ?? (processes[0] as never),
      async () => {
        for (const { id } of writers) {
          const [here, there] = await on(processes, id);
          for (let turn = 0; turn < 5; turn++) {
            const { now } = (await here?.clock.advance("1h")) ?? {};
            expect((await there?.clock.get())?.now).toBe(now);
          }
        }
        // The pooler does not close the connection of the killed process, which still holds an unused lock.
        await processes[0]?.end("SIGKILL");
        processes[0] = await startProcess(db, {}, timings);
      },
    );
    for (const writer of writers) await writer.expectActive(processes[0] as never);
  });

  test("teams with a schema each have environments of their own through one pooler", async () => {
    const { address } = await use.cluster.startBouncer("pool_mode = session");
    const [ownProcess, otherProcess] = [await startProcess(address("team_one")), await startProcess(address("user"))];
    const { id } = await ownProcess.sandbox.openEnvironment({ id: "checkout" });
    expect((await otherProcess.sandbox.environments()).map((environment) => environment.id)).toEqual(["default"]);
    await expect(otherProcess.sandbox.environment(id)).rejects.toMatchObject({ code: "not_found" });
    expect(await use.cluster.query("select from pg_tables where schemaname = 'public'")).toEqual([]);
  });

  const notInSessionMode = "cannot be used: a pooler in between is not in session mode, so a session loses";

  test.each([
    ["transactions", notInSessionMode, ["pool_mode = transaction"]],
    ["transactions and a reset", notInSessionMode, ["pool_mode = transaction", "server_reset_query_always = 1"]],
    ["transactions and one connection", notInSessionMode, ["pool_mode = transaction", "default_pool_size = 1"]],
    [
      "transactions and turns of connections",
      notInSessionMode,
      ["pool_mode = transaction", "server_round_robin = 1", "min_pool_size = 5"],
    ],
    ["statements", "transaction blocks not allowed in statement pooling mode", ["pool_mode = statement"]],
    [
      "one connection",
      "is behind a pooler that has no second connection for this process, which needs five",
      ["pool_mode = session", "default_pool_size = 1"],
    ],
  ])("a pooler of %s is refused at the start", async (_, words, lines) => {
    const { address } = await use.cluster.startBouncer(...lines);
    if (lines.includes("server_round_robin = 1")) await waitForSlices(address("pooled"));
    expect(await refusalOf(address("pooled"))).toContain(words);
    expect(await use.cluster.query("select from pg_tables where schemaname = 'pooled'")).toEqual([]);
  });

  test("a refusal by a pooler is reported at once, in its words", async () => {
    const { address } = await use.cluster.startBouncer("pool_mode = session");
    expect(await refusalOf(address("public", "unknown"))).toMatch(/ refuses "unknown": .*authentication failed/);
    const options = `${address("public")}&options=-c%20geqo%3Doff`;
    expect(await refusalOf(options)).toMatch(/ refuses "sandbox": unsupported startup parameter: options/);
    const missing = address("public").replace("/postgres?", "/none?");
    expect(await refusalOf(missing)).toContain('database "none" does not exist');
  });
});
