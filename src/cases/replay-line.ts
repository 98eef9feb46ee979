import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../package.ts";

/** The command that replays a case: by the very package that wrote it, as a free name in a registry may be anybody's. */
export function replayLine(file: string, hasFixture: boolean): string {
  return `${programLine()} replay ${word(file)}${hasFixture ? "" : " --fixture FILE"}`;
}

/** How to run this package from the working directory: from what it was installed from, or as it lies there. */
export function programLine(): string {
  const source = installedFrom();
  if (source !== undefined) return `npx --package ${word(source)} offering-sandbox`;
  return `node ${word(relative("", fileURLToPath(new URL("bin/offering-sandbox.js", packageRoot))))}`;
}

/** The file or the address that npm installed this package from; undefined for a checkout, and for other package managers. */
function installedFrom(): string | undefined {
  try {
    const project = new URL("../../", packageRoot);
    const { packages } = JSON.parse(readFileSync(new URL("node_modules/.package-lock.json", project), "utf8")) as {
      readonly packages: Readonly<Record<string, { readonly resolved?: string }>>;
    };
    const { resolved = "" } = packages["node_modules/offering-sandbox"] ?? {};
    if (resolved.startsWith("file:")) {
      const file = join(fileURLToPath(project), resolved.slice("file:".length));
      return existsSync(file) ? relative("", file) : undefined;
    }
    const { protocol, username, password } = new URL(resolved);
    return protocol === "https:" && username + password === "" ? resolved : undefined;
  } catch {
    return undefined;
  }
}

function word(text: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(text) ? text : `"${text}"`;
}
