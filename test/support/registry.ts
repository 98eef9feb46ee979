import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished, type TestContext } from "vitest";
import { execute } from "./packed.ts";

/**
 * Installs packages in a folder of a project until the test ends, and returns their `node_modules`. They are too heavy
 * for the dependencies of this checkout. If the registry does not have them, skips the test with their names, but fails
 * it in CI.
 */
export async function fromRegistry(
  context: TestContext,
  project: string,
  packages: readonly string[],
): Promise<string> {
  const folder = join(project, `with ${packages.join().replaceAll("/", "-")}`);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "tools" }));
  const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=0"];
  try {
    await execute("npm", ["install", ...flags, ...packages], { cwd: folder });
  } catch (error) {
    if (process.env["CI"]) throw error;
    context.skip(`${packages.join(", ")} cannot be installed from the registry`);
  }
  return join(folder, "node_modules");
}
