import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { npmEnvironment } from "./npm-environment.js";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Packs the product as it would be published, from what is built, and gives the tarball. */
export async function pack(folder) {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await execute("npm", args, { cwd: root, env: npmEnvironment() });
  const [{ filename }] = JSON.parse(stdout);
  return join(folder, filename);
}
