import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeBrowser, launchOnTerminal, temporaryFolder } from "./cli.ts";

const hasTerminal = process.platform === "linux" && existsSync("/usr/bin/script");

test.runIf(hasTerminal)("on a terminal, keys play a step, advance, reset, open the portal and quit", async () => {
  const cwd = temporaryFolder();
  writeFileSync(
    join(cwd, "mine.yaml"),
    "steps: [{ event: REGISTRATION COMPLETED }, { next: true, event: PROFILE SUBMITTED }]",
  );
  const { PATH, opened } = fakeBrowser();
  const env = {
    NO_COLOR: "1",
    PATH: `${PATH}:${process.env["PATH"]}`,
    OFFERING_SANDBOX_ADMIN_TOKEN: "let-me-in",
  };
  const args = ["--port", "0", "--clock", "fixture", "--speed", "0", "-s", "mine.yaml"];
  const running = launchOnTerminal(args, { cwd, env });
  const press = (key: string): void => void running.child.stdin?.write(key);
  const block = await running.linesTo((line) => line.startsWith("offering-sandbox ready on "));
  expect(block.map((line) => line.trim())).toContain(
    "Press         n next step, a advance by a day, r reset, p portal, q quit",
  );
  expect(block.length).toBeLessThan(24);
  expect(Math.max(...block.map((line) => line.trimEnd().length))).toBeLessThanOrEqual(80);
  press("n");
  expect((await running.line(() => true)).trim()).toMatch(
    /^next  mine on #\d+ .+ \(run-1\): step 2 of 2 played, finished$/,
  );
  expect((await running.line(() => true)).trim()).toMatch(/^12:00:00 {2}\S.* #\d+ {2}Profile submitted$/);
  press("na");
  expect((await running.line(() => true)).trim()).toBe("next  No run has a waiting step.");
  expect((await running.line(() => true)).trim()).toBe("clock  2026-01-16T12:00:00.000Z, paused, 0 changes");
  press("r");
  expect(await running.line(() => true)).toMatch(/^reset {2}.*2026-01-15T12:00:00\.000Z, paused/);
  const [, link = ""] = /Portal +(\S+)/.exec(block.join("\n")) ?? [];
  expect(link).toMatch(/^http:\/\/localhost:\d+\/#token=let-me-in$/);
  press("p");
  expect((await running.line(() => true)).trim()).toBe(`portal  ${link}`);
  press("n");
  expect((await running.line(() => true)).trim()).toMatch(/^next /);
  expect(opened()).toEqual([link]);
  const pendingExit = new Promise((resolve) => running.child.once("exit", resolve));
  press("q");
  expect(await pendingExit).toBe(0);
});
