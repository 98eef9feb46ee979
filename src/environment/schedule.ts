import type { DatedEffect } from "../model/change.ts";
import type { Instant } from "../model/instant.ts";
import type { Investment, Key } from "../model/resources.ts";
import { changesOf, type StepContext } from "../scenario/changes.ts";
import type { Step } from "../scenario/scenario.ts";
import { later, placeOfRepetition, type Run, type Track } from "./run.ts";
import type { RunHost } from "./runs.ts";

/** What steps are dated and made into changes with. */
interface ScheduleSetting {
  readonly host: Pick<RunHost, "id" | "seed" | "keysBy">;
  /** Which repetition of its run the track is, from 0. */
  readonly repetition: number;
  readonly investment: Pick<Investment, "id" | "investors" | "signing_parties">;
}

/**
 * Dates the steps of a track, in the track itself, from the next one on, up to one that waits, and answers their changes.
 * `fire` is the instant at which the next one, which waits, happens now. Throws an Error that names the step and the reason.
 */
export function schedule(run: Run, track: Track, setting: ScheduleSetting, fire?: Instant): DatedEffect[] {
  const { steps } = run.scenario;
  const { host, repetition, investment } = setting;
  const place = placeOfRepetition(run, repetition, host.seed);
  const issued: Key[] = [];
  const effects: DatedEffect[] = [];
  let forced = fire;
  for (let index = track.dues.length; index < steps.length; index++) {
    const step = steps[index];
    const last = track.dues.at(-1) ?? track.start;
    const date = step && (forced ?? dateOf(step, last, track.start));
    if (!step || date === undefined) break;
    if (date < last) throw new Error(`step ${index + 1}: ${date} is before what comes before it, ${last}`);
    forced = undefined;
    track.dues.push(date);
    track.reads = 0;
    const origin = { run: run.id, step: index };
    const context: StepContext = {
      place: place.at("steps", index),
      date,
      environmentId: host.id,
      offeringId: run.offering_id,
      investment,
      payments: track.payments,
      keys: () => [...host.keysBy(date), ...issued],
    };
    for (const [at, effect] of step.effects.entries()) {
      try {
        for (const change of changesOf(effect, at, context)) {
          effects.push({ ...change, date, origin });
          if (change.kind === "new_key") issued.push(change.key);
        }
      } catch (error) {
        throw new Error(`step ${index + 1}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
    }
  }
  return effects;
}

/** When a step happens by time; undefined when it waits. */
function dateOf({ trigger }: Step, last: Instant, start: Instant): Instant | undefined {
  switch (trigger.kind) {
    case "after":
      return later(last, trigger.by);
    case "at":
      return "instant" in trigger ? trigger.instant : later(start, trigger.since);
    case "after_reads":
    case "next":
      return undefined;
  }
}
