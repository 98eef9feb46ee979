import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalogue } from "../../src/assumptions/catalogue.ts";
import { run, temporaryFolder } from "./cli.ts";

test("assumptions shows each question with its answers, and marks the one in force", async () => {
  const { code, stdout } = await run(["assumptions", "--assume", "list.max_size=250"]);
  for (const { id } of catalogue) expect(stdout).toMatch(new RegExp(`^${id.replaceAll(".", "\\.")} `, "m"));
  expect(stdout).toMatch(/\* create_date +oldest first/);
  expect(stdout).toMatch(/\* 250 /);
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(code).toBe(0);
});

test("assumptions --json prints the catalogue with the values in force", async () => {
  const { stdout } = await run(["assumptions", "--json", "--profile", "minimal", "--assume", "cors=no"]);
  const rows = JSON.parse(stdout) as { id: string; value: unknown }[];
  expect(rows.map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id));
  expect(rows.find(({ id }) => id === "list.order")?.value).toBe("unordered");
  expect(rows.find(({ id }) => id === "cors")?.value).toBe("no");
});

test("assumptions names the values that a calibration decided, and the flag that overrides one", async () => {
  const cwd = temporaryFolder();
  const config = `assume: { list.order: -create_date, list.past_end: "404", cors: "no" }
calibrated: { date: 2026-11-22, host: demo.example.com, confidence: { list.order: high, list.past_end: medium } }`;
  writeFileSync(join(cwd, "offering-sandbox.config.yaml"), config);
  const stdout = (await run(["assumptions"], { cwd })).stdout.replaceAll(/\s+/g, " ");
  expect(stdout).toContain("(section 8; calibrated 2026-11-22, high)");
  expect(stdout).toContain("(section 8; calibrated 2026-11-22, medium)");
  expect(stdout).toContain("(section 1; set)");
  const { stdout: json } = await run(["assumptions", "--json", "--assume", "list.order=modify_date"], { cwd });
  const rows = new Map((JSON.parse(json) as { id: string }[]).map((row) => [row.id, row]));
  expect(rows.get("list.order")).toMatchObject({ source: "set", confidence: null, calibrated: null });
  expect(rows.get("list.past_end")).toMatchObject({ source: "calibrated", confidence: "medium" });
  expect(rows.get("ids.case")).toMatchObject({ source: "profile" });
});
