import type { ChangeDescription, RunDescription, RunStep } from "../../control.ts";
import type { Effect } from "../../model/change.ts";
import { columns, count, style } from "./text.ts";

/** Changes with their dates, the first so many of them. */
export function changeLines(changes: readonly ChangeDescription[], most: number): string[] {
  const lines = columns(
    changes.slice(0, most).map((change) => {
      const { what, of } = inWords(change as unknown as Effect);
      return [change.date, what, of];
    }),
  );
  const more = changes.length - most;
  return more > 0 ? [...lines, style("dim", `… and ${more} more`)] : lines;
}

/** What a change does, and the id of what it does it to. */
function inWords(effect: Effect): { readonly what: string; readonly of: string } {
  switch (effect.kind) {
    case "event":
      return { what: `event ${effect.event.event} ${effect.event.action}`, of: effect.investment_id };
    case "new_investment":
      return { what: `new investment of ${effect.investment.amount}`, of: effect.investment.id };
    case "new_payment":
      return { what: `new payment of ${effect.payment.amount}, ${effect.payment.status}`, of: effect.investment_id };
    case "new_key":
      return { what: `new ${effect.key.type} key`, of: effect.key.id };
    case "new_fault":
      return { what: "new fault", of: effect.fault.id };
    case "offering":
      return { what: `offering: ${attributes(effect.attributes)}`, of: effect.offering_id };
    case "key":
      return { what: `key: ${attributes(effect.attributes)}`, of: effect.key_id };
    case "fault":
      return { what: `fault: ${attributes(effect.attributes)}`, of: effect.fault_id };
    default:
      return { what: `${effect.kind.replace("_", " ")}: ${attributes(effect.attributes)}`, of: effect.investment_id };
  }
}

function attributes(set: object): string {
  const all = Object.entries(set).map(
    ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return all.join(", ");
}

/** `closing (run-1): step 3 of 7 played, waiting`, from the run before and after. */
export function playedStep(before: RunDescription, after: RunDescription): string {
  const waited = new Set(before.steps.filter(({ status }) => status === "waiting").map(place));
  const played = after.steps.filter((step) => step.status === "done" && waited.has(place(step)));
  const steps = [...new Set(played.map(({ index }) => index + 1))].join(", ");
  const all = Math.max(...after.steps.map(({ index }) => index + 1));
  const investments = new Set(played.map(({ investment_id: id }) => id)).size;
  const of = investments > 1 ? ` for ${count(investments, "investment")}` : "";
  return `${after.scenario} (${after.id}): step ${steps} of ${all} played${of}, ${after.status}`;
}

function place({ investment_id: investment, index }: RunStep): string {
  return `${investment} ${index}`;
}

/** A run with its steps; one of many investments with how far it is with each, the first so many of them. */
export function runBlock(run: RunDescription): string {
  const { id, scenario, status, investment_ids: investments, steps } = run;
  const head = `${style("bold", id)}  ${scenario}, ${status}`;
  const lines = investments.length > 1 ? tracks(investments, steps) : track(investments[0], steps);
  return [head, ...lines.map((line) => `  ${line}`)].join("\n");
}

const most = 20;

function track(investment: string | undefined, steps: readonly RunStep[]): string[] {
  const rows = steps.map(({ index, status, due }) => [`step ${index + 1}`, status, due ?? ""]);
  return [...(investment === undefined ? [] : [`investment ${investment}`]), ...columns(rows)];
}

function tracks(investments: readonly string[], steps: readonly RunStep[]): string[] {
  const rows = investments.slice(0, most).map((id) => {
    const own = steps.filter(({ investment_id: of }) => of === id);
    const done = own.filter(({ status }) => status === "done").length;
    const next = own.find(({ status }) => status === "waiting" || status === "scheduled");
    return [`investment ${id}`, `${done} of ${count(own.length, "step")} done`, next ? nextStep(next) : ""];
  });
  const more = investments.length - most;
  return more > 0 ? [...columns(rows), style("dim", `… and ${more} more`)] : columns(rows);
}

function nextStep({ index, status, due }: RunStep): string {
  return status === "waiting" ? `step ${index + 1} waits` : `step ${index + 1} at ${due}`;
}
