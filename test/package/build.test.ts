import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, realpath, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { copyCheckout, linkModules } from "../support/packed.ts";
import { until } from "../support/until.ts";

let folder = "";

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "offering-sandbox-build-")));
  await copyCheckout(folder);
  await linkModules(folder);
  return () => rm(folder, { recursive: true, force: true });
});

const build = (): Promise<unknown> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, ["scripts/build.js"], { cwd: folder }, (error, output) =>
      error ? reject(error) : resolve(output),
    );
  });

const pathOf = (path: string): string => join(folder, path);
const readBuildTime = async (): Promise<number> => (await stat(pathOf("dist/main.js"))).mtimeMs;

/** Builds, and returns whether that wrote dist/ again. */
async function rebuilds(): Promise<boolean> {
  const timeBefore = await readBuildTime().catch(() => 0);
  await build();
  return (await readBuildTime()) !== timeBefore;
}

test("a build writes its output only if it is incomplete or was made from other files", async () => {
  await writeFile(pathOf("src/model/nothing.ts"), "export {};\n");
  const child = spawn(process.execPath, ["scripts/build.js"], { cwd: folder, detached: true });
  const pendingExit = once(child, "exit");
  await until(() => stat(pathOf("build/src")).then(Boolean));
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await pendingExit;
  expect(await rebuilds()).toBe(true);
  expect(await rebuilds()).toBe(false);

  // A checkout of the same commit changes times only.
  await utimes(pathOf("src/index.ts"), new Date(), new Date());
  expect(await rebuilds()).toBe(false);

  // Without this source, all others are older than the build.
  await rm(pathOf("src/model/nothing.ts"));
  expect(await rebuilds()).toBe(true);

  const validText = await readFile(pathOf("src/index.ts"), "utf8");
  await appendFile(pathOf("src/index.ts"), "const number: number = 'text';\n");
  await expect(build()).rejects.toThrow();
  await writeFile(pathOf("src/index.ts"), validText);
  await rm(pathOf("dist/portal"), { recursive: true });
  expect(await rebuilds()).toBe(true);
  await stat(pathOf("dist/portal"));
});
