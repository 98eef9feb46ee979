import {
  dateMistakes,
  earlyDate,
  eachOf,
  inNoList,
  pathOf,
  type WrittenResource,
} from "../fixture/mistakes/resources.ts";
import { about, type Finding } from "../model/finding.ts";
import { readInstant } from "../model/instant.ts";
import type { Scenario } from "./scenario.ts";

/** Finds dates before the creation of the investment, and those of which only a sandbox knows whether they are. */
export function* dateWarnings(scenario: Scenario): Generator<Finding> {
  const { investment, steps } = scenario;
  if (typeof investment !== "string") {
    const unknown: Finding[] = [];
    eachOf(investment, { path: ["investment"] }, (resource) => unknown.push(...unknownDate(resource)));
    yield* unknown;
  }
  let create_date = typeof investment === "string" ? undefined : investment.create_date;
  const subject = (): WrittenResource =>
    inNoList("investments", { create_date }, { path: ["investment"], name: "the investment" });
  for (const [index, { trigger, effects }] of steps.entries()) {
    const path = ["steps", index];
    const step = inNoList("steps", "instant" in trigger ? { at: trigger.instant } : {}, { path, name: "the step" });
    yield* earlyDate(step, "at", subject());
    for (const effect of effects) {
      if (!("attributes" in effect)) continue;
      if (effect.kind === "investment") ({ create_date = create_date } = effect.attributes);
      const root = { path: [...path, effect.kind], name: `the ${effect.kind}` };
      const within = effect.kind === "offering" ? undefined : subject();
      const resource = inNoList(effect.kind, effect.attributes, root, within);
      yield* dateMistakes(resource);
      if (effect.kind !== "offering") yield* unknownDate(resource);
    }
  }
}

/** Finds the first date of a resource that only a sandbox can compare with the creation of the resource around it. */
function* unknownDate(resource: WrittenResource): Generator<Finding> {
  const { list, members, within } = resource;
  const member = ["create_date", "modify_date"].find((name) => members[name] !== undefined);
  if (member === undefined) return;
  const isCreation = member === "create_date" && list.startsWith("investment");
  if (!isCreation && within?.members["create_date"] !== undefined) return;
  const whether = isCreation
    ? "the offering was created by then, and whether that is in the past"
    : "the investment was created by then";
  yield about(
    pathOf(resource, member),
    `is ${readInstant(members[member])}; only the sandbox knows whether ${whether}.`,
  );
}
