import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalogue } from "../../src/assumptions/catalogue.ts";
import { run, temporaryFolder } from "./cli.ts";

test("assumptions --json prints the catalogue with the values in force, and where each comes from", async () => {
  const cwd = temporaryFolder();
  const config = `assume: { list.order: -create_date, list.past_end: "404", cors: "no" }
calibrated: { date: 2026-11-22, host: demo.example.com, confidence: { list.order: high, list.past_end: medium } }`;
  writeFileSync(join(cwd, "offering-sandbox.config.yaml"), config);
  const flags = ["--profile", "minimal", "--assume", "list.order=modify_date"];
  const { stdout } = await run(["assumptions", "--json", ...flags], { cwd });
  const list = JSON.parse(stdout) as { readonly id: string }[];
  expect(list.map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id));
  const rows = Object.fromEntries(list.map((row) => [row.id, row]));
  const set = { value: "modify_date", source: "set", confidence: null, calibrated: null };
  expect(rows["list.order"]).toMatchObject(set);
  expect(rows["list.past_end"]).toMatchObject({ value: "404", source: "calibrated", confidence: "medium" });
  expect(rows["errors.body"]).toMatchObject({ value: "empty", source: "profile" });
});
