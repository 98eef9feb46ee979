import { expect, test } from "vitest";
import { catalogue } from "../../src/assumptions/catalogue.ts";
import { run } from "./cli.ts";

test("assumptions shows each question with its answers, the one in force marked", async () => {
  const { code, stdout } = await run(["assumptions", "--assume", "list.max_size=250"]);
  for (const { id } of catalogue) expect(stdout).toMatch(new RegExp(`^${id.replaceAll(".", "\\.")} `, "m"));
  expect(stdout).toMatch(/\* create_date +oldest first/);
  expect(stdout).toMatch(/\* 250 /);
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(code).toBe(0);
});

test("assumptions --json is the catalogue with the values in force", async () => {
  const { stdout } = await run(["assumptions", "--json", "--profile", "minimal", "--assume", "cors=no"]);
  const rows = JSON.parse(stdout) as { id: string; value: unknown }[];
  expect(rows.map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id));
  expect(rows.find(({ id }) => id === "list.order")?.value).toBe("unordered");
  expect(rows.find(({ id }) => id === "cors")?.value).toBe("no");
});
