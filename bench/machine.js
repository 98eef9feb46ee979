import { execFileSync } from "node:child_process";
import { cpus, release, totalmem, type } from "node:os";

/** What a run ran on, in a line. */
export function machine() {
  const [{ model }] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${model.trim()}, ${cpus().length} cores, ${memory} GB, ${type()} ${release()}, Node ${process.versions.node}`;
}

/** The commit that is measured, where git can tell; with a `+` where files differ from it. */
export function commit() {
  try {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], cwd: import.meta.dirname };
    const id = execFileSync("git", ["rev-parse", "--short", "HEAD"], options).trim();
    const changed = execFileSync("git", ["status", "--porcelain", "--", "../src", "../bin"], options) !== "";
    return id + (changed ? "+" : "");
  } catch {
    return undefined;
  }
}
