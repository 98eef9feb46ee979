import { parseDuration } from "../model/duration.ts";
import { formatInstant, parseIsoDate } from "../model/instant.ts";
import { spelledEvents } from "./events.ts";
import type { Scenario, ScenarioEffect, Step, Trigger } from "./scenario.ts";
import type { WrittenScenario } from "./schema.ts";
import type { WrittenEffects } from "./schema/effects.ts";
import type { WrittenStep } from "./schema/step.ts";

/** The checked form of a written scenario that has no mistakes. */
export function checkedForm(written: WrittenScenario, name: string): Scenario {
  const { description = "", offering = null, investment = {}, repeat, steps } = written;
  return {
    name,
    description: description.trim(),
    offering,
    investment,
    repeat: repeat
      ? { count: repeat.count, every: milliseconds(repeat.every), jitter: milliseconds(repeat.jitter ?? "0s") }
      : null,
    steps: steps.map((step): Step => ({ trigger: triggerOf(step), effects: effectsOf(step) })),
  };
}

function triggerOf({ after = "0s", at, after_reads, next }: WrittenStep): Trigger {
  if (next) return { kind: "next" };
  if (after_reads !== undefined) return { kind: "after_reads", reads: after_reads };
  if (at === undefined) return { kind: "after", by: milliseconds(after) };
  const since = parseDuration(at);
  if (since !== undefined) return { kind: "at", since };
  return { kind: "at", instant: formatInstant(parseIsoDate(at)?.milliseconds ?? 0) };
}

type EffectReader<Name extends keyof WrittenEffects> = (
  written: Exclude<WrittenEffects[Name], undefined>,
) => readonly ScenarioEffect[];

/** In the order in which effects apply. Attributes hold no undefined: they come from a file. */
const readers = {
  offering: (attributes) => [{ kind: "offering", attributes } as ScenarioEffect],
  investor: ({ email, ...attributes }) => [{ kind: "investor", email: email ?? null, attributes } as ScenarioEffect],
  sign: (who) => [{ kind: "sign", who: typeof who === "string" && who !== "all" ? [who] : who }],
  payment: ({ alias, ...attributes }) => [{ kind: "payment", alias: alias ?? null, attributes } as ScenarioEffect],
  event: (said) => spelledEvents(said).map((event) => ({ kind: "event", ...event })),
  investment: (attributes) => [{ kind: "investment", attributes } as ScenarioEffect],
  key: (said) => [{ kind: "key", ...said } as ScenarioEffect],
  fault: ({ for: duration, ...fault }) => [
    { kind: "fault", fault, for: duration === undefined ? null : milliseconds(duration) },
  ],
} satisfies { readonly [Name in keyof WrittenEffects]-?: EffectReader<Name> };

function effectsOf(step: WrittenStep): ScenarioEffect[] {
  return Object.entries(readers).flatMap(([name, read]) => {
    const written = step[name as keyof WrittenEffects];
    return written === undefined ? [] : (read as (said: unknown) => ScenarioEffect[])(written);
  });
}

function milliseconds(duration: string): number {
  return parseDuration(duration) ?? 0;
}
