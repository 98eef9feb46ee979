import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EnvironmentDescription } from "../../src/public/control.ts";
import { run, start, temporaryFolder, type CommandResult } from "./cli.ts";

function fixture(...aliases: string[]): string {
  return JSON.stringify({
    name: "mine",
    offerings: aliases.map((alias) => ({ alias })),
    keys: [{ alias: "key", type: "partner", offering: "one" }],
  });
}

/** Replaces a file in one step: a watcher could see a part of a file that is written in place. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

test("--watch loads an edited fixture, reports an error, and continues with the last valid one", async () => {
  const cwd = temporaryFolder();
  const file = join(cwd, "mine.json");
  writeFileSync(file, fixture("one"));
  const running = await start(["-f", "mine.json", "--watch"], { cwd });
  const { base_url: base, environment } = running.ready;
  const call = async (): Promise<number> => {
    const { offering_id: id, key } = environment.keys[0] ?? {};
    return (await fetch(`${base}/offerings/${id}`, { headers: { authorization: `Bearer ${key}` } })).status;
  };
  expect(await call()).toBe(200);

  replace(file, fixture("one", "two"));
  expect((await running.event("reload")).message).toContain("mine.json");
  expect(await call()).toBe(200);

  replace(file, `{"offerings": [`);
  expect((await running.event("error")).message).toMatch(/mine\.json:1:\d+: /);
  expect(await call()).toBe(200);

  writeFileSync(file, fixture("one", "two", "three"));
  await running.event("reload");
  expect(readdirSync(cwd)).toEqual(["mine.json"]);
  expect(await running.stop()).toBe(0);
});

test("--watch loads an edited scenario file, and continues with the last valid one", async () => {
  const cwd = temporaryFolder();
  const file = join(cwd, "mine.yaml");
  writeFileSync(file, "steps: [{ event: REGISTRATION COMPLETED }]");
  const running = await start(["-s", "mine.yaml", "--watch"], { cwd });
  const reset = (): Promise<CommandResult> => run(["reset", "--url", running.ready.url]);
  const steps = async (): Promise<number> => {
    const description = await fetch(`${running.ready.admin_url}/environments/default`);
    return ((await description.json()) as EnvironmentDescription).runs[0]?.steps.length ?? 0;
  };
  expect(await steps()).toBe(1);

  replace(file, "steps: [{ evnt: PROFILE SUBMITTED }]");
  expect((await running.event("error")).message).toMatch(/mine\.yaml:1:\d+: .*Did you mean "event"\?/);
  await reset();
  expect(await steps()).toBe(1);

  replace(file, "steps: [{ event: REGISTRATION COMPLETED }, { after: 1d, event: PROFILE SUBMITTED }]");
  expect((await running.event("reload")).message).toBe("Reloaded mine.yaml.");
  await reset();
  expect(await steps()).toBe(2);
});

test("--watch applies an edit of the config file, and names the settings that need a restart", async () => {
  const cwd = temporaryFolder();
  const file = join(cwd, "offering-sandbox.config.yaml");
  writeFileSync(file, "rate-limit: 1");
  const running = await start(["--watch"], { cwd });
  const { base_url: base, environment } = running.ready;
  const [key] = environment.keys;
  const call = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${key?.key}` };
    return (await fetch(`${base}/offerings/${key?.offering_id}`, { headers })).status;
  };
  expect([await call(), await call()]).toEqual([200, 429]);

  replace(file, "rate-limit: 0\nport-file: port.txt");
  await running.event("reload");
  expect((await running.event("warning")).message).toContain("port-file");
  expect([await call(), await call()]).toEqual([200, 200]);

  replace(file, "rate-limit: 0\nfixture: nowhere/mine.json");
  expect((await running.event("error")).message).toContain("nowhere/mine.json cannot be read");
  expect(await call()).toBe(200);

  replace(file, "rate-limit: none");
  expect((await running.event("error")).message).toContain("offering-sandbox.config.yaml:1:13: rate-limit: expected");
  expect(await running.stop()).toBe(0);
});

test("--watch survives anything in the place of the file, and loads the file when it is back", async () => {
  const cwd = temporaryFolder();
  const folder = join(cwd, "data");
  const file = join(folder, "mine.json");
  const makeFile = (name: string): void => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    replace(file, fixture("one", name));
  };
  makeFile("two");
  const running = await start(["-f", "data/mine.json", "--watch"], { cwd });
  const replacements: Readonly<Record<string, () => void>> = {
    nothing: () => {},
    "a file for the folder": () => writeFileSync(folder, ""),
    "a link to itself": () => {
      mkdirSync(folder);
      symlinkSync("mine.json", file);
    },
    "a pipe": () => {
      mkdirSync(folder);
      execFileSync("sh", ["-c", 'mkfifo "$0"', file]);
    },
  };
  for (const [name, putInPlace] of Object.entries(replacements)) {
    rmSync(folder, { recursive: true });
    putInPlace();
    // After another edit, the file is read as it is then.
    replace(join(cwd, "offering-sandbox.config.yaml"), `# ${name}`);
    expect((await running.event("error")).message, name).toMatch(/mine\.json (cannot be read|is not a regular file)/);
    makeFile(name.replaceAll(" ", "-"));
    expect((await running.event("reload")).message, name).toContain("mine.json");
  }
  expect(await running.stop()).toBe(0);
});
