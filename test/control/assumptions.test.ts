import { describe, expect, test } from "vitest";
import { catalog } from "../../src/assumptions/catalog.ts";
import { known } from "../support/sandbox.ts";
import type { Environment } from "../../src/public/control.ts";
import { openControl, read } from "../support/sandboxes.ts";

describe("assumptions", () => {
  test("the catalog is listed with the current values", async () => {
    const { assumptions } = await openControl({ assumptions: { "errors.body": "problem" } });
    const rows = await assumptions.list();
    expect(rows.map(({ id }) => id)).toEqual(catalog.map(({ id }) => id));
    for (const { id, question, section, value, profile_value, values } of rows) {
      const row = catalog.find((candidate) => candidate.id === id);
      expect({ question, section, values }).toEqual({
        question: row?.question,
        section: row?.section,
        values: row?.values,
      });
      expect(value).toBe(id === "errors.body" ? "problem" : row?.conventional);
      expect(profile_value).toBe(row?.conventional);
    }
  });

  test("each value has its source, and counts the responses that depend on it", async () => {
    const assumptions = { "list.order": "-create_date", "list.default_size": 5, cors: "no", "errors.body": "jsonapi" };
    const confidence = { "list.order": "high", "list.default_size": "medium", "errors.body": "low" } as const;
    const calibrated = { date: "2026-11-22", host: "demo.example.com", confidence };
    const sandbox = await openControl({ assumptions, calibrated });
    const sourceOf = async (environment: Environment, id: string) => {
      const row = (await environment.assumptions.list()).find((candidate) => candidate.id === id);
      return [row?.source, row?.confidence, row?.calibrated];
    };
    const calibratedAt = (level: string) => ["calibrated", level, calibrated.date];
    expect(await sourceOf(sandbox, "list.order")).toEqual(calibratedAt("high"));
    expect(await sourceOf(sandbox, "errors.body")).toEqual(calibratedAt("low"));
    expect(await sourceOf(sandbox, "cors")).toEqual(["set", null, null]);
    expect(await sourceOf(sandbox, "ids.case")).toEqual(["profile", null, null]);

    const list = `/offerings/${known.aurora}/investments`;
    const { headers } = await read(sandbox, list);
    const header = headers.get("sandbox-assumptions");
    expect(header).toMatch(/list\.default_size;calibrated, (.*, )?list\.document, (.*, )?list\.order;calibrated/);
    const [entry] = (await sandbox.requests.list()).data;
    expect(entry?.assumptions).toEqual(header?.replaceAll(";calibrated", "").split(", "));
    await read(sandbox, `/investments/${known.unknown}`);
    const requestCounts = new Map(
      (await sandbox.assumptions.list()).map(({ id, request_count }) => [id, request_count]),
    );
    expect([requestCounts.get("list.order"), requestCounts.get("content_type"), requestCounts.get("ids.case")]).toEqual(
      [1, 2, 0],
    );

    await sandbox.assumptions.set({ "list.order": "modify_date", "list.default_size": 20 });
    expect(await sourceOf(sandbox, "list.order")).toEqual(["set", null, null]);
    expect(await sourceOf(sandbox, "list.default_size")).toEqual(["profile", null, null]);
    expect((await read(sandbox, list)).headers.get("sandbox-assumptions")).not.toContain("calibrated");
    const snapshot = await sandbox.snapshot();
    await sandbox.reset();
    expect(await sourceOf(sandbox, "list.order")).toEqual(calibratedAt("high"));

    const restoredSandbox = await openControl({ fixture: undefined, snapshot });
    expect(await sourceOf(restoredSandbox, "errors.body")).toEqual(calibratedAt("low"));
    expect(await sourceOf(restoredSandbox, "list.order")).toEqual(["set", null, null]);
    await restoredSandbox.assumptions.set({ "list.order": "-create_date" });
    expect(await sourceOf(restoredSandbox, "list.order")).toEqual(calibratedAt("high"));
    expect(await sourceOf(await sandbox.openEnvironment(), "list.order")).toEqual(calibratedAt("high"));
  });
});
