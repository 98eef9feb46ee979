import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const execute = promisify(execFile);

/** The folder of this checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Copies this checkout as a clone would have it, with what is not committed yet. */
export async function copyCheckout(folder: string): Promise<void> {
  const builtFolders = ["node_modules", "build", "dist", ".git"].map((name) => join(root, name));
  await cp(root, folder, { recursive: true, filter: (path) => !builtFolders.includes(path) });
}

/** Gives a copy of this checkout what is installed here. */
export async function linkModules(folder: string): Promise<void> {
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bin?: string | Readonly<Record<string, string>>;
}

/** Creates a project in its own folder, with the packed package and other packages. */
export async function packedProject(otherPackages: readonly string[] = []): Promise<string> {
  const project = await realpath(await mkdtemp(join(tmpdir(), "offering-sandbox-packed-")));
  await install(await pack(project), project, otherPackages);
  return project;
}

/** Returns the folder of the package in a project. */
export function installedIn(project: string): string {
  return join(project, "node_modules", "offering-sandbox");
}

/** Packs the package into a folder, as for publishing, and returns the path of the tarball. */
export async function pack(folder: string): Promise<string> {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await execute("npm", args, { cwd: root });
  const [{ filename = "" } = {}] = JSON.parse(stdout) as { filename?: string }[];
  return join(folder, filename);
}

/**
 * Installs the packed package in a folder, without a network. Only its declared dependencies are there, as links to
 * this checkout, like the other packages of the folder.
 */
export async function install(tarball: string, folder: string, otherPackages: readonly string[] = []): Promise<void> {
  const modules = join(folder, "node_modules");
  const installed = installedIn(folder);
  await mkdir(installed, { recursive: true });
  await execute("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  // npm records there what it has installed.
  const packages = { "node_modules/offering-sandbox": { resolved: `file:${relative(folder, tarball)}` } };
  await writeFile(join(modules, ".package-lock.json"), JSON.stringify({ packages }));
  const { dependencies } = await manifestOf(installed);
  for (const name of Object.keys(dependencies)) await link(packageOf(name), join(installed, "node_modules", name));
  for (const name of otherPackages) await link(packageOf(name), join(modules, name));
  for (const name of ["offering-sandbox", ...otherPackages]) {
    const { bin = {} } = await manifestOf(join(modules, name));
    const commands = typeof bin === "string" ? { [name]: bin } : bin;
    for (const [command, file] of Object.entries(commands)) {
      await link(join(modules, name, file), join(modules, ".bin", command));
    }
  }
}

function packageOf(name: string): string {
  return join(root, "node_modules", name);
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
}
