// Servers and load get a core each, so that they do not take it from each other: by taskset, where it is there.
import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";

export const pins = canPin();

function canPin() {
  if (availableParallelism() < 2) return undefined;
  try {
    execFileSync("taskset", ["-c", "0,1", "true"], { stdio: "ignore" });
    return { server: "0", load: "1" };
  } catch {
    return undefined;
  }
}

/** A command, held to a core. */
export function onCore(core, command, args) {
  return core === undefined ? [command, args] : ["taskset", ["-c", core, command, ...args]];
}
