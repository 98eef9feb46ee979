import fc from "fast-check";
import { expect } from "vitest";
import type * as control from "../../src/control.ts";
import { known } from "../support/sandbox.ts";
import { command, place } from "./command.ts";
import { later, limitTime, opened, realTime, unused } from "./model.ts";
import { openingOf, start } from "./opening.ts";
import { Refused } from "./runs.ts";
import { minute } from "./scenarios.ts";
import type { Act } from "./world.ts";

/** What is refused at any time. */
const mistakes: readonly Act["ask"][] = [
  ({ clock }) => clock.set({ now: "yesterday" }),
  ({ clock }) => clock.advance(-1),
  ({ clock }) => clock.advanceTo("2025-01-01T00:00:00.000Z"),
  ({ keys }) => keys.issue({ type: "broker" as "partner", offering_id: known.aurora }),
  (environment) => environment.play({ steps: [{ evnt: "PAYMENT APPROVED" }] }),
  (environment) => environment.play("closing", { offering_id: known.unknown }),
  ({ investments }) => investments.create({ id: known.whole }),
  ({ investments }) => investments.create({ investment_number: 1 }),
  ({ investments }) => investments.change(known.whole, { investment_number: 2 }),
  ({ investments }) => investments.recordEvent(known.whole, { event: "", action: "APPROVED" }),
  ({ faults }) => faults.add({}),
  ({ faults }) => faults.remove("fault-99"),
  ({ limits }) => limits.set(known.unknown, 1),
  ({ requests }) => requests.list({ limit: -1 }),
  (environment) => environment.restore({} as control.Snapshot),
  (_, sandbox) => sandbox.environment("nobody"),
];

/** Commands on environments as a whole, and on the server. */
export const serverCommands = {
  "make a mistake": command(fc.nat(mistakes.length - 1), (at) => ({
    ask: async (environment, sandbox) => mistakes[at]?.(environment, sandbox),
    follow() {
      throw new Refused();
    },
  })),
  "open an environment": command(
    fc.record({
      id: fc.constantFrom("one", "other", "no spaces"),
      now: minute.map((minutes) => later(start, minutes)),
      rate_limit: fc.constantFrom(0, 3),
      ttl_seconds: fc.constantFrom(100, 3600),
      size: fc.constantFrom(5, 20),
    }),
    ({ id, now, size, ...others }) => {
      const assumptions = { "list.default_size": size };
      return {
        ask: (_, sandbox) => sandbox.openEnvironment({ id, clock: now, assumptions, ...others }),
        follow(_, environments) {
          if (environments.has(id) || id === "no spaces") throw new Refused();
          const opening = openingOf({ now, ...others });
          environments.set(id, opened(id, { ...opening, assumptions: { ...opening.assumptions, ...assumptions } }));
        },
      };
    },
    4,
  ),
  "drop an environment": command(
    fc.constantFrom("one", "other"),
    (id) => ({
      async ask(_, sandbox) {
        const environment = await sandbox.environment(id);
        await environment.close();
        // Who holds it still holds nothing.
        await expect(environment.clock.get()).rejects.toMatchObject({ code: "not_found" });
      },
      follow(_, environments) {
        if (!environments.delete(id)) throw new Refused();
      },
    }),
    1,
  ),
  "take a snapshot": command(fc.constant(null), (_, before, world) => ({
    async ask(environment) {
      world.snapshots.push({
        document: await environment.snapshot(),
        taken: structuredClone(before),
        time: limitTime(before),
      });
    },
    follow: () => {},
  })),
  "restore a snapshot": command(place, (at, { id }, { snapshots }) => {
    const own = snapshots.filter(({ taken: one }) => one.id === id || at === 4);
    const { document, taken, time } = own.at(-1 - (at % 4)) ?? own[0] ?? {};
    return {
      ask: (environment) => environment.restore(document ?? ({} as control.Snapshot)),
      follow(environment) {
        if (taken?.id !== id || time === undefined) throw new Refused();
        const { content, journal, limits } = structuredClone(taken);
        Object.assign(environment, { content, journal, limits, advanced: 0 });
        // Windows go on where they were.
        for (const window of Object.values(limits))
          if (window.end !== undefined) window.end += limitTime(environment) - time;
      },
    };
  }),
  restart: command(
    fc.constant(null),
    (_, __, world) => ({
      ask: () => world.restart(),
      follow(_environment, environments) {
        for (const environment of environments.values())
          Object.assign(environment, unused(environment.opening), { lastUsed: realTime.passed });
      },
    }),
    1,
  ),
  "let a minute pass": command(
    fc.constantFrom(59_000, 60_000),
    (milliseconds) => ({
      ask: async () => void (realTime.passed += milliseconds),
      follow(_, environments) {
        for (const [id, { lastUsed, opening }] of environments)
          if (realTime.passed + milliseconds - lastUsed > opening.ttl_seconds * 1000) environments.delete(id);
      },
    }),
    1,
  ),
};
