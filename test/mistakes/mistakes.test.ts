import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { run } from "../cli/cli.ts";

/**
 * Each folder has small broken files, and beside each a text: all that the command prints for it. A new file gets its text by
 * `npx vitest run --project fast test/mistakes --update`; read it.
 */
const commands = { fixtures: ["fixture", "check"], scenarios: ["scenario", "check"] };

describe.each(Object.entries(commands))("%s", (folder, command) => {
  const cwd = fileURLToPath(new URL(folder, import.meta.url));
  const names = readdirSync(cwd);
  const broken = names.filter((name) => !name.endsWith(".txt"));
  const textOf = (name: string): string => name.replace(/\.\w+$/, ".txt");

  test.each(broken)(`${command.join(" ")} %s`, async (name) => {
    const { code, stdout, stderr } = await run([...command, name], { cwd });
    await expect((stderr + stdout).replaceAll(cwd, "/home/ada")).toMatchFileSnapshot(join(cwd, textOf(name)));
    expect([code, stderr]).toEqual([name.startsWith("warned-") ? 0 : 2, expect.not.stringContaining("sk_live")]);
  });

  test("each file has a text, and each text a file", () => {
    expect(names.filter((name) => name.endsWith(".txt")).toSorted()).toEqual(broken.map(textOf).toSorted());
  });
});
