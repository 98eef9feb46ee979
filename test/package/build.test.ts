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

const inside = (path: string): string => join(folder, path);
const madeAt = async (): Promise<number> => (await stat(inside("dist/main.js"))).mtimeMs;

/** Whether a build makes dist/ again. */
async function builds(): Promise<boolean> {
  const before = await madeAt().catch(() => 0);
  await build();
  return (await madeAt()) !== before;
}

test("a build makes only what is not there as a whole, made from the same files", async () => {
  await writeFile(inside("src/model/nothing.ts"), "export {};\n");
  const child = spawn(process.execPath, ["scripts/build.js"], { cwd: folder, detached: true });
  const ended = once(child, "exit");
  await until(() => stat(inside("build/src")).then(Boolean));
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await ended;
  expect(await builds()).toBe(true);
  expect(await builds()).toBe(false);

  // A checkout of the same commit changes times only.
  await utimes(inside("src/index.ts"), new Date(), new Date());
  expect(await builds()).toBe(false);

  // Without this source, all others are older than the build.
  await rm(inside("src/model/nothing.ts"));
  expect(await builds()).toBe(true);

  const right = await readFile(inside("src/index.ts"), "utf8");
  await appendFile(inside("src/index.ts"), "const number: number = 'text';\n");
  await expect(build()).rejects.toThrow();
  await writeFile(inside("src/index.ts"), right);
  await rm(inside("dist/portal"), { recursive: true });
  expect(await builds()).toBe(true);
  await stat(inside("dist/portal"));
});
