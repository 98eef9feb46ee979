import { eventPairs, isShownPair } from "../../model/event-pairs.ts";
import { unseen, type Finding, type Path } from "../../model/finding.ts";
import { isShownStatus } from "../../model/investment-status.ts";
import { didYouMean } from "../../model/nearest.ts";
import type { Scenario, ScenarioEffect } from "../scenario.ts";

/** Finds values of statuses, steps and events that the specification does not show (sections 3 and 6). */
export function* unseenValues({ investment, steps }: Scenario): Generator<Finding> {
  if (typeof investment !== "string") {
    yield* unseenAttributes(investment, ["investment"]);
    for (const [index, { event, action }] of (investment.events ?? []).entries()) {
      if (event !== undefined && action !== undefined)
        yield* unseenEvent({ event, action }, ["investment", "events", index]);
    }
  }
  for (const [index, { effects }] of steps.entries()) {
    for (const effect of effects) yield* inEffect(effect, ["steps", index, effect.kind]);
  }
}

function* inEffect(effect: ScenarioEffect, path: Path): Generator<Finding> {
  if (effect.kind === "investment") yield* unseenAttributes(effect.attributes, path);
  if (effect.kind === "offering" && effect.attributes.status !== undefined && effect.attributes.status !== "ACTIVE") {
    yield unseen([...path, "status"], effect.attributes.status, "ACTIVE");
  }
  if (effect.kind === "event") {
    yield* unseenEvent(effect, path);
    if (effect.description !== null) yield unseen(path, effect.description, "a description of null");
  }
}

interface Attributes {
  readonly status?: string | undefined;
  readonly step?: string | null | undefined;
}

function* unseenAttributes({ status, step }: Attributes, path: Path): Generator<Finding> {
  if (status !== undefined && !isShownStatus(status)) yield unseen([...path, "status"], status, "PENDING and CLOSED");
  if (step !== undefined && step !== null && step !== "SIGNERS")
    yield unseen([...path, "step"], step, "SIGNERS and null");
}

function* unseenEvent(
  { event, action }: { readonly event: string; readonly action: string },
  path: Path,
): Generator<Finding> {
  if (isShownPair(event, action)) return;
  const said = `${event} ${action}`;
  const finding = unseen(path, said, "those of section 6");
  const hint = didYouMean(
    said,
    eventPairs.map((pair) => pair.join(" ")),
  );
  yield { ...finding, message: finding.message + hint };
}
