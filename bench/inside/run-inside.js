import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs a program of this folder in a process of its own, which can collect its garbage, and gives what it prints. */
export async function runInside(name, args) {
  const program = fileURLToPath(new URL(`${name}.js`, import.meta.url));
  const { stdout } = await execute(process.execPath, ["--expose-gc", program, ...args.map(String)]);
  return JSON.parse(stdout);
}
