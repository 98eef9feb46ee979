// Installs what is measured beside the product, each into a folder of its own that git ignores.
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { npmEnvironment } from "./npm-environment.js";

const execute = promisify(execFile);
const folder = fileURLToPath(new URL("../.peers/", import.meta.url));
const newerNode = "24.21.0";

/** Installs packages, unless they are there, and gives the folder. */
export async function install(id, packages) {
  const target = join(folder, id);
  const mark = join(target, "installed.json");
  const wanted = JSON.stringify(packages);
  if ((await readFile(mark, "utf8").catch(() => "")) === wanted) return target;
  await mkdir(target, { recursive: true });
  await writeFile(join(target, "package.json"), '{ "private": true }\n');
  try {
    await execute("npm", ["install", "--no-audit", "--no-fund", "--save-exact", ...packages], {
      cwd: target,
      env: npmEnvironment(),
    });
  } catch (error) {
    throw new Error(`npm install ${packages.join(" ")}: ${firstComplaint(error.stderr)}`, { cause: error });
  }
  await writeFile(mark, wanted);
  return target;
}

/** The Node of a version, such as 24 or 24.21.0: the one at hand if it is of that version, else one from npm. */
async function nodeOf(wanted) {
  const { versions, execPath: command, platform, arch } = process;
  if (`${versions.node}.`.startsWith(`${wanted}.`)) return { command, version: versions.node };
  const name = `node-${platform}-${arch}`;
  const installed = await install(`node-${wanted}`, [`${name}@${wanted}`]);
  const { version } = JSON.parse(await readFile(join(installed, "node_modules", name, "package.json"), "utf8"));
  return { command: join(installed, "node_modules", name, "bin/node"), version };
}

/** The Node that a server runs on: the one of this version, or a newer one if the server needs it. */
export async function nodeFor({ node }, wanted) {
  const found = await nodeOf(wanted);
  return node === undefined || isAtLeast(found.version, node.atLeast) ? found : nodeOf(newerNode);
}

function isAtLeast(version, [major, minor]) {
  const [itsMajor, itsMinor] = version.split(".").map(Number);
  return itsMajor > major || (itsMajor === major && itsMinor >= minor);
}

function firstComplaint(text = "") {
  const telling = text.split("\n").find((line) => /\S/.test(line) && !/A complete log|npm warn/.test(line));
  return telling ?? "failed without a word";
}
