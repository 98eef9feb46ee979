import type { ChangeDescription, ClockMove } from "../public/control.ts";
import type { Environment } from "../environment/environment.ts";
import { runTitle } from "../environment/run.ts";
import { changesState, happeningsOf } from "../model/words.ts";
import { formatCount } from "../text/text.ts";

/** The investment or run that a summary is about, by its id. */
interface MoveSubject {
  readonly investment?: string | undefined;
  readonly run?: string | undefined;
}

/** What a move did in words: the subject's changes, and all others as a number; then the runs that stopped. */
export function moveSummary(
  environment: Environment,
  subject: MoveSubject,
  { applied, applied_count, undone, undone_count, stopped }: Omit<ClockMove, "now" | "speed" | "summary">,
): string {
  const changes = [...applied, ...undone];
  const total = applied_count + undone_count;
  const stops = stopped.map(({ id, problem }) => ` ${id} stopped: ${problem}`).join("");
  if (total === 0) return `No changes.${stops}`;
  const ownChanges = changes.filter((change) => isOf(change, subject));
  // A move lists only the first thousand changes; whether the subject has others is unknown.
  const isComplete = changes.length === total;
  if (isComplete && ownChanges.length > 0)
    return `${subjectSummary(environment, subject, ownChanges, undone_count > 0)}.${stops}`;
  if (undone_count > 0) {
    return `Undone: ${formatCount(total, "change")}. The timeline keeps ${total === 1 ? "it" : "them"}.${stops}`;
  }
  const name = isComplete ? subjectName(environment, subject) : undefined;
  return `${formatCount(total, "change")} happened${name === undefined ? "" : `, none of ${name}`}.${stops}`;
}

function isOf({ subject_id, run }: ChangeDescription, subject: MoveSubject): boolean {
  return subject.run === undefined ? subject_id === subject.investment : run === subject.run;
}

/** `#148 Ada Lovelace`, `closing on #148 Ada Lovelace`; undefined without a subject. */
export function subjectName(
  { internals }: Environment,
  { investment: id, run: runId }: MoveSubject,
): string | undefined {
  const { history, runs } = internals;
  const { state } = history.read();
  const run = runs.all.find((candidate) => candidate.id === runId);
  if (run) return runTitle(run, state);
  return id === undefined ? undefined : history.investmentName(id);
}

/** `#148 Ada is CLOSED, 5,000.00 paid`; without a new state, the last changes: `#148 Ada: Profile submitted`. */
function subjectSummary(
  environment: Environment,
  subject: MoveSubject,
  changes: readonly ChangeDescription[],
  isBack: boolean,
): string {
  const name = subjectName(environment, subject) ?? "";
  if (subject.investment !== undefined && changes.some(changesState)) {
    const investment = environment.read().state.investment(subject.investment);
    if (!investment) return `${name} is not created yet`;
    const { status, step, paid_amount: paid } = investment;
    const money = paid.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    return `${name} is ${isBack ? "back at " : ""}${status}${step === null ? "" : ` in step ${step}`}, ${money} paid`;
  }
  const words = happeningsOf(changes).map((happening) => happening.words.join(" · "));
  const last = words.length > 3 ? [`${formatCount(words.length - 2, "change")} before`, ...words.slice(-2)] : words;
  return `${name}: ${isBack ? "undone: " : ""}${last.join("; ")}`;
}
