// Starts processes, and ends them all with this process.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";

const running = new Set();
process.on("exit", () => running.forEach((child) => end(child)));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** Separate cores for servers and load, so that they do not compete for processor time; undefined without `taskset`. */
export const cores = canPin() ? { server: "0", load: "1" } : undefined;

function canPin() {
  if (availableParallelism() < 2) return false;
  try {
    execFileSync("taskset", ["-c", "0,1", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Starts a process, on a core if one is given; with `group`, its descendants end with it. */
export function start(command, args, { core, group = false, ...options } = {}) {
  const line = [command, ...args.map(String)];
  const [program, ...rest] = core === undefined ? line : ["taskset", "-c", core, ...line];
  const child = spawn(program, rest, { ...options, detached: group });
  child.group = group;
  running.add(child);
  child.once("exit", () => running.delete(child));
  child.once("error", () => running.delete(child));
  return child;
}

/** Ends a process and waits for its exit. */
export async function stop(child) {
  if (!running.has(child)) return;
  const exit = once(child, "exit");
  end(child);
  await exit;
}

function end(child) {
  if (child.group) process.kill(-child.pid, "SIGKILL");
  else child.kill("SIGKILL");
}
