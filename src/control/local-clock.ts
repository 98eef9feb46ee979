import type { Clock, ClockAdvance, ClockReading } from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import { ControlError } from "../errors/control-error.ts";
import { parseDuration } from "../model/duration.ts";
import { parseIsoDate } from "../model/instant.ts";
import { checkMembers } from "../model/members.ts";
import { describeChange } from "./describe.ts";
import type { Perform } from "./perform.ts";

/** The clock of an environment in this process. */
export function localClock(environment: Environment, perform: Perform): Clock {
  const reading = (): ClockReading => ({ now: environment.read().now, speed: environment.stores.clock.speed });

  const advance = async (by: number): Promise<ClockAdvance> => {
    const { clock, history } = environment.stores;
    const before = history.state.position;
    clock.advance(by);
    await environment.preparation();
    const { speed, now } = reading();
    const { timeline, state: after } = environment.stores.history;
    return {
      now,
      speed,
      applied: timeline.changes.slice(before, after.position).map((change) => describeChange(change, after)),
    };
  };

  return {
    get: () => perform(reading),
    set: (to) =>
      perform(async () => {
        checkMembers(to, { now: true, speed: true }, "the clock");
        environment.stores.clock.set(to);
        await environment.preparation();
        return reading();
      }),
    advance: (by) => perform(() => advance(milliseconds(by))),
    advanceTo: (instant) =>
      perform(() => {
        const to = parseIsoDate(instant)?.milliseconds;
        if (to === undefined) throw new ControlError("invalid", `"to" is an instant such as 2026-01-15T12:00:00.000Z.`);
        const by = to - environment.stores.clock.milliseconds;
        if (by < 0) throw new ControlError("conflict", "The clock is past that already; set it to go back.");
        return advance(by);
      }),
  };
}

function milliseconds(by: string | number): number {
  const parsed = typeof by === "number" ? by : parseDuration(by);
  if (parsed !== undefined && parsed >= 0) return parsed;
  throw new ControlError("invalid", `"by" is a duration such as "90s", "1h30m", "2d" or "PT1H".`);
}
