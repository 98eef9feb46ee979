// Kills a sandbox with --db again and again, at random moments, while writers send commands over HTTP, and checks after each
// restart whether acknowledged commands are lost: node bench/kill.js [kills] [writers]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { connectSandbox } from "../dist/index.js";
import { bin } from "./servers/product.js";

const [kills = 200, writers = 4] = process.argv.slice(2).map(Number);

/** The file grows with the commands, so it is replaced after this many kills. */
const killsOfOneFile = 20;

const folder = await mkdtemp(join(tmpdir(), "offering-sandbox-kill-"));
const figures = { kills: 0, while_starting: 0, while_writing: 0, acknowledged: 0, lost: 0 };
try {
  for (let file = 0; figures.kills < kills; file++) await useFile(join(folder, `${file}.json`));
} finally {
  await rm(folder, { recursive: true });
}
console.log(JSON.stringify(figures));
process.exitCode = figures.lost === 0 ? 0 : 1;

/** Kills processes on one file; the last process is checked and stopped. */
async function useFile(file) {
  const acknowledged = {
    keys: new Set(),
    events: new Set(),
    opened: new Set(),
    dropped: new Set(),
    now: "",
    size: { value: null, requested: null },
  };
  for (let round = 0; round < killsOfOneFile && figures.kills < kills; round++) {
    const sandboxProcess = start(file);
    if (Math.random() < 0.2) {
      await wait(Math.random() * 400);
      await kill(sandboxProcess.child);
      figures.while_starting += 1;
      continue;
    }
    const sandbox = await connectSandbox(await sandboxProcess.url);
    await check(sandbox, acknowledged);
    const stop = { yes: false };
    const works = Array.from({ length: writers }, (_, writer) => work(sandbox, acknowledged, writer, stop));
    await wait(Math.random() * 600);
    stop.yes = true;
    await kill(sandboxProcess.child);
    await Promise.all(works);
    figures.while_writing += 1;
  }
  const { child, url } = start(file);
  await check(await connectSandbox(await url), acknowledged);
  child.kill("SIGTERM");
  await once(child, "exit");
}

function start(file) {
  const options = ["--db", file, "--port", "0", "--clock", "fixture", "--speed", "0", "--rate-limit", "0"];
  const child = spawn(process.execPath, [bin, ...options, "--log-format", "json", "--quiet"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = new Promise((resolve, reject) => {
    createInterface(child.stdout).once("line", (line) => resolve(JSON.parse(line).url));
    child.once("exit", (code, signal) => reject(new Error(`ended before it was ready: ${code ?? signal}`)));
  });
  url.catch(() => {});
  return { child, url };
}

async function kill(child) {
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
  figures.kills += 1;
}

/** Sends commands one after the other until the sandbox is gone, and records the acknowledged ones. */
async function work(sandbox, acknowledged, writer, stop) {
  const [offering] = (await sandbox.describe().catch(() => ({ offerings: [] }))).offerings;
  for (let nth = 0; ; nth++) {
    try {
      await command(sandbox, acknowledged, { writer, nth, offering });
      figures.acknowledged += 1;
    } catch (error) {
      if (stop.yes) return;
      throw error;
    }
  }
}

async function command(sandbox, acknowledged, { writer, nth, offering }) {
  switch ((writer + nth) % 5) {
    case 0: {
      const key = await sandbox.keys.issue({ type: "partner", offering_id: offering.id });
      acknowledged.keys.add(key.id);
      return;
    }
    case 1: {
      const { id } = await sandbox.investments.create({ offering_id: offering.id });
      const event = await sandbox.investments.recordEvent(id, { event: "PROFILE", action: "SUBMITTED" });
      acknowledged.events.add(event.id);
      return;
    }
    case 2: {
      const environment = await sandbox.openEnvironment({ id: `e-${writer}-${Date.now()}-${nth}` });
      acknowledged.opened.add(environment.id);
      if (nth % 2 === 0) return;
      acknowledged.opened.delete(environment.id);
      await environment.close();
      acknowledged.dropped.add(environment.id);
      return;
    }
    case 3: {
      const { now } = await sandbox.clock.advance(1000);
      if (now > acknowledged.now) acknowledged.now = now;
      return;
    }
    case 4: {
      // Only one writer sets the size, so its value is certain.
      if (writer !== 0) return;
      const value = 1 + (nth % 50);
      acknowledged.size.requested = value;
      await sandbox.assumptions.set({ "list.default_size": value });
      acknowledged.size.value = value;
    }
  }
}

async function check(sandbox, acknowledged) {
  const keys = ids(await sandbox.keys.list());
  const events = new Set((await sandbox.timeline()).map(({ event }) => event?.id));
  const open = ids(await sandbox.environments());
  const { now } = await sandbox.clock.get();
  const size = (await sandbox.assumptions.list()).find(({ id }) => id === "list.default_size").value;
  const { value, requested } = acknowledged.size;
  const lost = [
    ...[...acknowledged.keys].filter((id) => !keys.has(id)),
    ...[...acknowledged.events].filter((id) => !events.has(id)),
    ...[...acknowledged.opened].filter((id) => !open.has(id)),
    ...[...acknowledged.dropped].filter((id) => open.has(id)),
    ...(now < acknowledged.now ? [`clock at ${acknowledged.now}`] : []),
    ...(value !== null && size !== value && size !== requested ? [`list.default_size=${value}`] : []),
  ];
  figures.lost += lost.length;
  if (lost.length > 0) console.error(`lost: ${lost.join(", ")}`);
  acknowledged.size = { value: size, requested: size };
}

function ids(list) {
  return new Set(list.map(({ id }) => id));
}
