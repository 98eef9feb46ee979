import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import { temporaryFolder } from "../cli/cli.ts";
import { known } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { blockWrites, newFile, restart, startWithDatabase, stateOf } from "./databases.ts";

test("a command that cannot be stored is rejected, and stored by the next successful write", async () => {
  const folder = join(temporaryFolder(), "folder");
  await mkdir(folder);
  const file = join(folder, "stored.json");
  const sandbox = await startWithDatabase(file);
  await rm(folder, { recursive: true });
  const remote = await connectSandbox(sandbox.url);
  for (const control of [sandbox, remote]) {
    const rejected = control.keys.issue({ type: "partner", offering_id: "aurora" });
    await expect(rejected).rejects.toMatchObject({ name: "ControlError", code: "not_saved" });
    await expect(rejected).rejects.toThrow(`${file} cannot be written: ENOENT`);
  }
  await mkdir(folder);
  await sandbox.clock.advance("1d");
  const before = await stateOf(sandbox);
  expect(await sandbox.keys.list()).toHaveLength(Object.keys(known.keys).length + 2);
  expect(await stateOf(await restart(sandbox, file))).toEqual(before);
});

test("all commands that share a failing write are rejected, and the file stays unchanged", async () => {
  const file = newFile();
  const sandbox = await startWithDatabase(file);
  const { mtimeMs, ino } = await stat(file);
  const unblock = await blockWrites(file);
  const issue = (): Promise<unknown> => sandbox.keys.issue({ type: "partner", offering_id: "aurora" });
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, issue));
  expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
  await unblock();
  expect(await stat(file)).toMatchObject({ mtimeMs, ino });
  await issue();
  const before = await stateOf(sandbox);
  expect(await stateOf(await restart(sandbox, file))).toEqual(before);
});

test("a failed write without a waiting command is passed to onFailure", async () => {
  const file = newFile();
  const failures: unknown[] = [];
  const sandbox = await startWithDatabase(file, { onFailure: (error) => failures.push(error) });
  const [id = ""] = (await sandbox.play("polling")).investment_ids;
  const unblock = await blockWrites(file);
  await fetch(`${sandbox.baseUrl}/investments/${id}`, { headers: { authorization: `Bearer ${known.keys.partner}` } });
  await until(() => failures.length > 0);
  expect(failures).toEqual([expect.objectContaining({ code: "not_saved" })]);
  await unblock();
});

test("reads work without a writable file", async () => {
  const file = newFile();
  const sandbox = await startWithDatabase(file);
  const environment = await sandbox.openEnvironment();
  const { id } = environment;
  const run = await environment.play("closing");
  await sandbox.play("closing");
  const ids: Readonly<Record<string, string>> = {
    investments: "closed",
    requests: "1",
    runs: run.id,
    scenarios: "closing",
  };
  for (const { baseUrl, keys } of [environment, sandbox]) {
    await fetch(baseUrl, { headers: { authorization: `Bearer ${keys.partner}` } });
  }
  const unblock = await blockWrites(file);
  await expect(sandbox.clock.advance("1d")).rejects.toMatchObject({ code: "not_saved" });
  const { paths } = (await (await fetch(`${sandbox.adminUrl}/openapi.json`)).json()) as { paths: object };
  const reads = Object.entries(paths).filter(([, item]) => "get" in item);
  expect(reads.length).toBeGreaterThan(20);
  for (const [path] of reads) {
    const named = path.replace(/(\w+)\/\{id\}/, (_, kind: string) => `${kind}/${ids[kind]}`);
    const response = await fetch(sandbox.adminUrl + named.replace("{environment}", id));
    expect([path, response.status]).toEqual([path, 200]);
    await response.arrayBuffer();
  }
  expect(await stateOf(sandbox)).toBeDefined();
  expect(await sandbox.scenarios.check({ steps: [{ event: "A B" }] })).toMatchObject({ valid: true });
  await expect(sandbox.faults.add({ delay: "1s" })).rejects.toMatchObject({ code: "not_saved" });
  await unblock();
});
