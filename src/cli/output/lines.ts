import type { ChangeDescription, RunDescription, RunStep, StoppedRun } from "../../public/control.ts";
import { escaped } from "../../text/text.ts";
import { happeningsOf } from "../../model/words.ts";
import { style } from "./terminal.ts";
import { columns, count, indent } from "./text.ts";

/** Lists changes by instant and subject, at most `max` changes. */
export function changeLines(changes: readonly ChangeDescription[], max: number, all = changes.length): string[] {
  const shown = changes.slice(0, max);
  const rows = happeningsOf(shown).map(({ date, words, subject_id }) => [date, words.join(" · "), subject_id]);
  return firstRows(rows, rows.length + all - shown.length);
}

/** `closing (run-1) stopped: …`, the reason last. */
export function stoppedRun({ id, scenario, problem }: StoppedRun): string {
  return escaped(`${scenario} (${id}) stopped: ${problem}`);
}

/** Aligns the first of `all` rows, and counts the others below. */
export function firstRows(rows: readonly (readonly string[])[], all: number): string[] {
  const more = all - rows.length;
  return more > 0 ? [...columns(rows), style("dim", `… and ${more} more`)] : columns(rows);
}

/** `closing on #146 Ada Lovelace (run-1): step 3 of 7 played, waiting`, from the run before and after. */
export function playedStep(before: RunDescription, after: RunDescription): string {
  const waited = new Set(before.steps.filter(({ status }) => status === "waiting").map(stepPlace));
  const played = after.steps.filter((step) => step.status === "done" && waited.has(stepPlace(step)));
  const steps = [...new Set(played.map(({ index }) => index + 1))].join(", ");
  const all = Math.max(...after.steps.map(({ index }) => index + 1));
  const investments = new Set(played.map(({ investment_id: id }) => id)).size;
  const of = investments > 1 ? ` for ${count(investments, "investment")}` : "";
  return `${escaped(after.title)} (${after.id}): step ${steps} of ${all} played${of}, ${after.status}`;
}

function stepPlace({ investment_id: investment, index }: RunStep): string {
  return `${investment} ${index}`;
}

/** Writes a run with its steps; for a run on many investments, the progress of the first ones. */
export function runBlock(run: RunDescription): string {
  const { id, title, status, repetitions, investment_ids: investments, steps } = run;
  const head = `${style("bold", id)}  ${title}, ${status}`;
  const lines = investments.length > 1 ? progressLines(investments, steps) : stepLines(investments[0], steps);
  return [
    head,
    ...indent([...(repetitions > 1 ? [`${beginningsInWords(run)} begun`] : []), ...lines, ...upcomingLines([run])]),
  ].join("\n");
}

/** `48 of 720 repetitions` */
export function beginningsInWords({ investment_ids: investments, repetitions }: RunDescription): string {
  return `${investments.length} of ${count(repetitions, "repetition")}`;
}

/** `2026-01-18T13:45:00.000Z  live-demo (run-1) goes on`, for a repetition that has no changes on the timeline yet. */
export function upcomingLines(runs: readonly RunDescription[]): string[] {
  return runs.flatMap(({ id, scenario, next_repetition_date: date }) =>
    date === null ? [] : [`${date}  ${scenario} (${id}) goes on`],
  );
}

const maxShownInvestments = 20;

function stepLines(investment: string | undefined, steps: readonly RunStep[]): string[] {
  const rows = steps.map(({ index, status, due }) => [`step ${index + 1}`, status, due ?? ""]);
  return [...(investment === undefined ? [] : [`investment ${investment}`]), ...columns(rows)];
}

function progressLines(investments: readonly string[], steps: readonly RunStep[]): string[] {
  const rows = investments.slice(0, maxShownInvestments).map((id) => {
    const its = steps.filter(({ investment_id: of }) => of === id);
    const next = its.find(({ status }) => status === "waiting" || status === "scheduled");
    return [`investment ${id}`, `${stepsDone(its)} done`, next ? nextStep(next) : ""];
  });
  return firstRows(rows, investments.length);
}

/** `3 of 7 steps` */
export function stepsDone(steps: readonly RunStep[]): string {
  const done = steps.filter(({ status }) => status === "done").length;
  return `${done} of ${count(steps.length, "step")}`;
}

function nextStep({ index, status, due }: RunStep): string {
  return status === "waiting" ? `step ${index + 1} waits` : `step ${index + 1} at ${due}`;
}

/** Writes rows below a heading. Their texts may come from outside. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const [first = "", ...lines] = columns([heading, ...rows]);
  return [style("dim", first), ...lines].join("\n");
}
