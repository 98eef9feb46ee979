// Installs each peer into a folder ignored by git, and packs the product.
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const peers = fileURLToPath(new URL("../.peers/", import.meta.url));
const newerNode = "24.21.0";

/** Variables for an npm that is independent of a surrounding `npm run`. */
export function npmEnvironment(extra = {}) {
  const ours =
    /^(npm_(package|lifecycle)_|npm_config_(local_prefix|prefix|cache)$|npm_(command|execpath|node_execpath)$|INIT_CWD$)/;
  const otherVariables = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return { ...Object.fromEntries(otherVariables), ...extra };
}

/** Installs the packages of a peer unless they are there; resolves to the folder. */
export async function installPeer(id, packages) {
  const folder = join(peers, id);
  const mark = join(folder, "installed.json");
  const list = JSON.stringify(packages);
  if ((await readFile(mark, "utf8").catch(() => "")) === list) return folder;
  await installInto(folder, packages);
  await writeFile(mark, list);
  return folder;
}

/** Installs packages into a folder as a separate project. */
export async function installInto(folder, packages) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  const args = ["install", "--no-audit", "--no-fund", "--save-exact", ...packages];
  await execute("npm", args, { cwd: folder, env: npmEnvironment() });
}

/** Packs the built product as for publishing; resolves to the tarball's path. */
export async function pack(folder) {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await execute("npm", args, { cwd: root, env: npmEnvironment() });
  const [{ filename }] = JSON.parse(stdout);
  return join(folder, filename);
}

/** The Node for a server: of the requested version, or newer if the server needs it. */
export async function nodeFor({ node }, requestedVersion) {
  const { command, version } = await nodeOf(requestedVersion);
  return node === undefined || isAtLeast(version, node.atLeast) ? { command, version } : nodeOf(newerNode);
}

/** A Node of a version such as 24 or 24.21.0: the running one if it matches, else one from npm. */
async function nodeOf(requestedVersion) {
  const { versions, execPath: command, platform, arch } = process;
  if (`${versions.node}.`.startsWith(`${requestedVersion}.`)) return { command, version: versions.node };
  const name = `node-${platform}-${arch}`;
  const modules = join(
    await installPeer(`node-${requestedVersion}`, [`${name}@${requestedVersion}`]),
    "node_modules",
    name,
  );
  const { version } = JSON.parse(await readFile(join(modules, "package.json"), "utf8"));
  return { command: join(modules, "bin/node"), version };
}

function isAtLeast(text, [atLeastMajor, atLeastMinor]) {
  const [major, minor] = text.split(".").map(Number);
  return major > atLeastMajor || (major === atLeastMajor && minor >= atLeastMinor);
}
