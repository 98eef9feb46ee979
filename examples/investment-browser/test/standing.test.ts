import type { Environment } from "offering-sandbox";
import { test } from "offering-sandbox/vitest";
import { describe, expect } from "vitest";
import { standingOf, watchStanding, type Standing } from "../src/service/standing.ts";
import { serviceOf, skip } from "./connection.ts";

/** Watches an investment of a scenario from the start; the clock advances between two requests. */
async function watched(sandbox: Environment, scenario: string, step: string): Promise<Standing[]> {
  const service = await serviceOf(sandbox, "marketing");
  const { investment_ids } = await sandbox.play(scenario);
  const id = investment_ids[0] ?? "";
  const rest = async (): Promise<void> => void (await sandbox.clock.advance(step));
  return collect(watchStanding(service, id, standingOf(await service.status(id)), { rest }));
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const story = [
  { status: "PENDING", step: "SIGNERS" },
  { status: "PENDING", step: null },
  { status: "CLOSED", step: null },
];

describe("watching an investment", () => {
  test("tells each change, and ends when it is closed", async ({ sandbox }) => {
    expect(await watched(sandbox, "closing", "30m")).toEqual(story);
  });

  test("reads a status under every assumption of its form", async ({ sandbox }) => {
    for (const form of ["resource", "resource-without-date", "flat"]) {
      await sandbox.assumptions.set({ "status.document": form });
      expect(await watched(sandbox, "closing", "30m")).toEqual(story);
    }
  });

  test("bears a few requests without a response", async ({ sandbox }) => {
    await sandbox.faults.add({ match: { path: "/investments/:id/status" }, respond: { status: 503 }, times: 1 });
    await sandbox.faults.add({ match: { path: "/investments/:id/status" }, connection: "reset", times: 1 });
    const service = await serviceOf(sandbox, "marketing");
    const { investment_ids } = await sandbox.play("closing");
    const day = 86_400_000;
    const rest = (failures: number): Promise<void> => skip(sandbox, day * 2 ** failures);
    const watch = watchStanding(service, investment_ids[0] ?? "", { status: "PENDING", step: null }, { rest });
    expect(await collect(watch)).toEqual([{ status: "CLOSED", step: null }]);
  });

  test("gives up when no response comes at all", async ({ sandbox }) => {
    await sandbox.faults.add({ respond: { status: 503 } });
    const service = await serviceOf(sandbox, "marketing");
    const watch = watchStanding(service, "any", { status: "PENDING", step: null }, { rest: async () => {} });
    await expect(watch.next()).rejects.toMatchObject({ status: 503 });
    expect(await sandbox.requests.count()).toBe(3);
  });
});
