// The processes that we have started and that have not ended: none outlives us.
import { spawn } from "node:child_process";
import { once } from "node:events";

const running = new Set();
process.on("exit", () => running.forEach((child) => end(child)));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** Starts a process; with `group`, its descendants end with it. */
export function start(command, args, { group = false, ...options } = {}) {
  const child = spawn(command, args.map(String), { ...options, detached: group });
  child.group = group;
  running.add(child);
  child.once("exit", () => running.delete(child));
  child.once("error", () => running.delete(child));
  return child;
}

/** Ends one, and waits until it is gone. */
export async function stop(child) {
  if (!running.has(child)) return;
  const gone = once(child, "exit");
  end(child);
  await gone;
}

function end(child) {
  if (child.group) process.kill(-child.pid, "SIGKILL");
  else child.kill("SIGKILL");
}
