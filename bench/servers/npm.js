// Installs the peers, each into a folder of its own that git ignores, and packs the product.
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const peers = fileURLToPath(new URL("../.peers/", import.meta.url));
const newerNode = "24.21.0";

/** The environment of an npm that is no part of the `npm run` which started us. */
export function npmEnvironment(extra = {}) {
  const ours =
    /^(npm_(package|lifecycle)_|npm_config_(local_prefix|prefix|cache)$|npm_(command|execpath|node_execpath)$|INIT_CWD$)/;
  const others = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return { ...Object.fromEntries(others), ...extra };
}

/** Installs the packages of a peer, unless they are there, and gives the folder. */
export async function installPeer(id, packages) {
  const folder = join(peers, id);
  const mark = join(folder, "installed.json");
  const list = JSON.stringify(packages);
  if ((await readFile(mark, "utf8").catch(() => "")) === list) return folder;
  await installInto(folder, packages);
  await writeFile(mark, list);
  return folder;
}

/** Installs packages into a folder as a project of its own. */
export async function installInto(folder, packages) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  const args = ["install", "--no-audit", "--no-fund", "--save-exact", ...packages];
  await execute("npm", args, { cwd: folder, env: npmEnvironment() });
}

/** Packs the product as it would be published, from what is built, and gives the tarball. */
export async function pack(folder) {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await execute("npm", args, { cwd: root, env: npmEnvironment() });
  const [{ filename }] = JSON.parse(stdout);
  return join(folder, filename);
}

/** The Node that a server runs on: of the version that was asked for, or a newer one if the server needs it. */
export async function nodeFor({ node }, asked) {
  const { command, version } = await nodeOf(asked);
  return node === undefined || isAtLeast(version, node.atLeast) ? { command, version } : nodeOf(newerNode);
}

/** A Node of a version, such as 24 or 24.21.0: this one if it is of that version, else one from npm. */
async function nodeOf(asked) {
  const { versions, execPath: command, platform, arch } = process;
  if (`${versions.node}.`.startsWith(`${asked}.`)) return { command, version: versions.node };
  const name = `node-${platform}-${arch}`;
  const modules = join(await installPeer(`node-${asked}`, [`${name}@${asked}`]), "node_modules", name);
  const { version } = JSON.parse(await readFile(join(modules, "package.json"), "utf8"));
  return { command: join(modules, "bin/node"), version };
}

function isAtLeast(text, [atLeastMajor, atLeastMinor]) {
  const [major, minor] = text.split(".").map(Number);
  return major > atLeastMajor || (major === atLeastMajor && minor >= atLeastMinor);
}
