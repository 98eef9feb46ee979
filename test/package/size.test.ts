import { readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { installedIn, packedProject, root } from "../support/packed.ts";

const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: Record<string, { dev?: true; devOptional?: true }>;
};

/** Folders of the packages that npm installs with this package. */
const dependencies = Object.entries(lock.packages)
  .filter(([folder, { dev, devOptional }]) => folder !== "" && !dev && !devOptional)
  .map(([folder]) => join(root, folder));

let project = "";

beforeAll(async () => {
  project = await packedProject();
  return () => rmSync(project, { recursive: true, force: true });
});

/** Bytes of the files in a package's folder, without nested packages. */
function bytes(folder: string): number {
  let sum = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    sum += entry.isDirectory() ? bytes(path) : statSync(path).size;
  }
  return sum;
}

test("npm installs less than 7.1 MB", () => {
  expect(dependencies.length).toBeGreaterThan(3);
  expect(dependencies.length).toBeLessThan(80);
  const sizes = [installedIn(project), ...dependencies].map(bytes);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(7_100_000);
});
