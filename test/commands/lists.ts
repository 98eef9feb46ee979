import { expect } from "vitest";
import type * as control from "../../src/control.ts";
import { type Environment, isRevoked, limitTime, stateAt } from "./model.ts";
import { isActive } from "./reads.ts";
import { described } from "./runs.ts";

/** Compares everything that commands list of an environment with its model. */
export async function expectLists(control: control.Environment, environment: Environment): Promise<void> {
  const { content, opening, limits, journal } = environment;
  const { now, facts, uses } = content;
  const { keys, faults, investments, offerings: names } = stateAt(environment);
  expect(await control.clock.get()).toEqual({ now, speed: 0 });
  const timeline = await control.timeline();
  expect(timeline.map(({ date, kind, run }) => `${date} ${kind} ${run}`)).toEqual(
    facts.map(({ date, kind, run }) => `${date} ${kind} ${run}`),
  );
  const { offerings: described_, rate_limit: limit } = await control.describe();
  expect(described_.map(({ id, name, investments: count }) => [id, name, count])).toEqual(
    Object.entries(names).map(([id, name]) => [
      id,
      name,
      Object.values(investments).filter((one) => one.offering_id === id).length,
    ]),
  );
  expect((await control.keys.list()).map(({ id, status, revoke_date }) => ({ id, status, revoke_date }))).toEqual(
    keys.map((key) => ({
      id: key.id,
      status: isRevoked(key, now) ? "revoked" : "active",
      revoke_date: key.revoke_date,
    })),
  );
  const runs = (await control.runs.list()).map(({ id, status, investment_ids, steps }) => ({
    id,
    status,
    investment_ids,
    steps,
  }));
  expect(runs).toEqual(described(environment));
  expect((await control.faults.list()).map(({ id, used, active, until }) => ({ id, used, active, until }))).toEqual(
    faults
      .filter(({ until }) => until === null || until > now)
      .map(({ id, rule, until }) => ({
        id,
        used: uses[id] ?? 0,
        active: isActive(id, rule, until, environment),
        until,
      })),
  );
  const time = limitTime(environment);
  const used = (id: string): number => {
    const window = limits[id];
    return window && (window.end ?? Infinity) > time ? window.used : 0;
  };
  expect((await control.limits.list()).map((one) => [one.key_id, one.used, one.limit])).toEqual(
    keys.map(({ id }) => [id, used(id), limit]),
  );
  expect(limit).toBe(opening.rate_limit);
  expect(await control.requests.count()).toBe(journal);
}
