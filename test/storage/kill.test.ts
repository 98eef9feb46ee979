import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import type { Sandbox } from "../../src/public/control.ts";
import { launch, type Ready, type Running } from "../cli/cli.ts";
import { newFile } from "./databases.ts";

/** `KILLS=200 npx vitest run --project slow test/storage/kill.test.ts` kills 200 times. */
const kills = Number(process.env["KILLS"] ?? 20);

/** The environments grow with the commands, so the file is replaced after this many kills. */
const killsOfOneFile = 20;

/** Milliseconds until the next kill. A fifth of the kills hit a process during its start. */
const moments = fc.oneof(
  { weight: 1, arbitrary: fc.record({ ofStart: fc.constant(true), after: fc.nat(400) }) },
  { weight: 4, arbitrary: fc.record({ ofStart: fc.constant(false), after: fc.nat(600) }) },
);

test("acknowledged commands survive kill -9 at any moment", async () => {
  for (let killCount = 0; killCount < kills; killCount += killsOfOneFile) {
    await useFile(newFile(), fc.sample(moments, Math.min(killsOfOneFile, kills - killCount)));
  }
});

/** Kills one process after another on a file; checks and stops the last one. */
async function useFile(file: string, plan: readonly { readonly ofStart: boolean; readonly after: number }[]) {
  const options = ["--db", file, "--port", "0", "--clock", "fixture", "--speed", "0", "--rate-limit", "0"];
  const start = () => launch([...options, "--log-format", "json", "--quiet"]);
  const acknowledged = new Acknowledged();
  for (const { ofStart, after } of plan) {
    const running = start();
    const pendingWork: Promise<void>[] = [];
    if (!ofStart) {
      const sandbox = await connect(running);
      await acknowledged.expectIn(sandbox);
      pendingWork.push(...[0, 1, 2, 3].map((writer) => sendCommands(sandbox, acknowledged, writer)));
      await Promise.race([acknowledged.nextCommand(), ...pendingWork]);
    }
    await wait(after);
    acknowledged.isEnding = true;
    await running.stop("SIGKILL");
    await Promise.all(pendingWork);
    acknowledged.isEnding = false;
  }
  const last = start();
  await acknowledged.expectIn(await connect(last));
  expect(await last.stop()).toBe(0);
}

async function connect(running: Running): Promise<Sandbox> {
  return connectSandbox(((await running.event("ready")) as Ready).url);
}

/** The effects of the acknowledged commands. */
class Acknowledged {
  /** Whether a command may fail, as its process is killed. */
  isEnding = false;
  /** Called for each command. */
  onCommand: () => void = () => {};
  readonly keys = new Set<string>();
  readonly events = new Set<string>();
  readonly opened = new Set<string>();
  readonly deleted = new Set<string>();
  now = "";
  /** The default size of a list: the last acknowledged value, and the last requested value. */
  sizes: [acknowledged?: number, requested?: number] = [];

  /** Waits for the next command. */
  nextCommand(): Promise<void> {
    return new Promise((resolve) => (this.onCommand = resolve));
  }

  async expectIn(sandbox: Sandbox): Promise<void> {
    const keys = idsOf(await sandbox.keys.list());
    const events = new Set((await sandbox.timeline()).map(({ event }) => (event as { id: string } | undefined)?.id));
    const open = idsOf(await sandbox.environments());
    const { now } = await sandbox.clock.get();
    const size = Number((await sandbox.assumptions.list()).find(({ id }) => id === "list.default_size")?.value);
    expect({
      keys: [...this.keys].filter((id) => !keys.has(id)),
      events: [...this.events].filter((id) => !events.has(id)),
      opened: [...this.opened].filter((id) => !open.has(id)),
      deleted: [...this.deleted].filter((id) => open.has(id)),
      clock: now >= this.now,
      size: this.sizes[0] === undefined || this.sizes.includes(size),
    }).toEqual({ keys: [], events: [], opened: [], deleted: [], clock: true, size: true });
    this.sizes = [size, size];
  }
}

/** Sends commands one after another until the sandbox is gone. */
async function sendCommands(sandbox: Sandbox, acknowledged: Acknowledged, writer: number): Promise<void> {
  for (let nth = 0; ; nth++) {
    try {
      await command(sandbox, acknowledged, writer, nth);
      acknowledged.onCommand();
    } catch (error) {
      if (acknowledged.isEnding) return;
      throw error;
    }
  }
}

async function command(sandbox: Sandbox, acknowledged: Acknowledged, writer: number, nth: number): Promise<void> {
  switch ((writer + nth) % 5) {
    case 0: {
      const { id } = await sandbox.keys.issue({ type: "partner" });
      acknowledged.keys.add(id);
      return;
    }
    case 1: {
      const { id } = await sandbox.investments.create({});
      const event = await sandbox.investments.recordEvent(id, { event: "PROFILE", action: "SUBMITTED" });
      acknowledged.events.add(event.id);
      return;
    }
    case 2: {
      // The sandbox reuses a generated id once its environment is deleted.
      const environment = await sandbox.openEnvironment({ id: `e-${randomUUID()}` });
      acknowledged.opened.add(environment.id);
      if (nth % 2 === 0) return;
      acknowledged.opened.delete(environment.id);
      await environment.close();
      acknowledged.deleted.add(environment.id);
      return;
    }
    case 3: {
      const { now } = await sandbox.clock.advance(1000);
      if (now > acknowledged.now) acknowledged.now = now;
      return;
    }
    default: {
      // Only one writer sets the size, so its value is certain.
      if (writer !== 0) return;
      const size = 1 + (nth % 50);
      acknowledged.sizes[1] = size;
      await sandbox.assumptions.set({ "list.default_size": size });
      acknowledged.sizes[0] = size;
    }
  }
}

function idsOf(list: readonly { readonly id: string }[]): Set<string> {
  return new Set(list.map(({ id }) => id));
}
