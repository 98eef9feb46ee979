import type { ScenarioDescription } from "../public/scenarios.ts";
import type { SparseInvestment } from "../fixture/schema.ts";
import { formatDuration, formatSpan } from "../time/duration.ts";
import type { Instant } from "../time/instant.ts";
import { type ScenarioEffect, writtenEffects } from "./step-effects.ts";

/**
 * A scenario without errors, as it is played: plain data, durations in milliseconds. schema.ts has the form of its
 * file and describes the members.
 */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The alias or id of the offering; null for the first. */
  readonly offering: string | null;
  /** The alias or id of an existing one, or a sparse new one: by default PENDING, unpaid and unsigned. */
  readonly investment: string | SparseInvestment;
  /** The repetitions; null for a scenario that plays once. */
  readonly repeat: null | {
    readonly count: number;
    readonly every: number;
    readonly jitter: number;
    readonly per_day?: number;
  };
  /** The steps, at least one. */
  readonly steps: readonly Step[];
}

/** A scenario that was saved in an environment, with its text: YAML or JSON. */
export type SavedScenario = Scenario & { readonly text: string };

export function summarizeScenario(scenario: Scenario): ScenarioDescription {
  const { name, title, description, steps } = scenario;
  return { name, title, description, steps: steps.length, saved: "text" in scenario };
}

export interface Step {
  readonly trigger: Trigger;
  /** The effects, at least one, in the order in which they apply. */
  readonly effects: readonly ScenarioEffect[];
}

/**
 * The time of a step. `most` and `until` are the end of a span, from which the date is sampled. The JSON of a trigger
 * is the seed of the sample, so its members must not be renamed.
 */
export type Trigger =
  | { readonly kind: "after"; readonly by: number; readonly most?: number | undefined }
  | { readonly kind: "at"; readonly since: number; readonly most?: number | undefined }
  | { readonly kind: "at"; readonly instant: Instant; readonly until?: Instant | undefined }
  | { readonly kind: "after_reads"; readonly reads: number }
  | { readonly kind: "next" };

/** Writes a checked scenario as the content of a file, from which `checkScenario` reads an equal one. */
export function writtenForm({ name, title, description, offering, investment, repeat, steps }: Scenario): object {
  return {
    name,
    ...(title !== name && { title }),
    ...(description !== "" && { description }),
    ...(offering !== null && { offering }),
    ...((typeof investment === "string" || Object.keys(investment).length > 0) && { investment }),
    ...(repeat && {
      repeat: { ...repeat, every: formatDuration(repeat.every), jitter: formatDuration(repeat.jitter) },
    }),
    steps: steps.map(({ trigger, effects }) => ({ ...writtenTrigger(trigger), ...writtenEffects(effects) })),
  };
}

function writtenTrigger(trigger: Trigger): object {
  switch (trigger.kind) {
    case "after": {
      const { by, most: max = by } = trigger;
      return max === 0 ? {} : { after: formatSpan([by, max]) };
    }
    case "at":
      if ("since" in trigger) return { at: formatSpan([trigger.since, trigger.most ?? trigger.since]) };
      return { at: trigger.instant + (trigger.until === undefined ? "" : `..${trigger.until}`) };
    case "after_reads":
      return { after_reads: trigger.reads };
    case "next":
      return { next: true };
  }
}
