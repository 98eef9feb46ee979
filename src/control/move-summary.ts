import type { ChangeDescription, ClockMove } from "../public/control.ts";
import type { Environment } from "../environment/environment.ts";
import { runTitle } from "../environment/run.ts";
import { changesState, groupChanges } from "../model/summaries.ts";
import { formatCount } from "../text/text.ts";

/** The investment or run that a summary is about, by its id. */
interface MoveSubject {
  readonly investment?: string | undefined;
  readonly run?: string | undefined;
}

/** Summarizes a move: the changes of the subject, or the number of all changes; then the runs that stopped. */
export function formatMoveSummary(
  environment: Environment,
  subject: MoveSubject,
  { applied, applied_count, undone, undone_count, stopped }: Omit<ClockMove, "now" | "speed" | "summary">,
): string {
  const changes = [...applied, ...undone];
  const total = applied_count + undone_count;
  const stopMessages = stopped.map(({ id, problem }) => ` ${id} stopped: ${problem}`).join("");
  if (total === 0) return `No changes.${stopMessages}`;
  const ownChanges = changes.filter((change) => belongsTo(change, subject));
  // A move lists only the first thousand changes; whether the subject has more is unknown.
  const isComplete = changes.length === total;
  if (isComplete && ownChanges.length > 0)
    return `${formatSubjectChanges(environment, subject, ownChanges, undone_count > 0)}.${stopMessages}`;
  if (undone_count > 0)
    return `Undone: ${formatCount(total, "change")}. ${total === 1 ? "It stays" : "They stay"} on the timeline.${stopMessages}`;
  const name = isComplete ? formatSubject(environment, subject) : undefined;
  return `${formatCount(total, "change")} happened${name === undefined ? "" : `, but not to ${name}`}.${stopMessages}`;
}

function belongsTo({ subject_id, run }: ChangeDescription, subject: MoveSubject): boolean {
  return subject.run === undefined ? subject_id === subject.investment : run === subject.run;
}

/** Returns `#148 Ada Lovelace` or `closing on #148 Ada Lovelace`; undefined without a subject. */
export function formatSubject(
  { internals }: Environment,
  { investment: id, run: runId }: MoveSubject,
): string | undefined {
  const { history, runs } = internals;
  const { state } = history.read();
  const run = runs.all.find((candidate) => candidate.id === runId);
  if (run) return runTitle(run, state);
  return id === undefined ? undefined : history.investmentName(id);
}

/** Formats `#148 Ada is CLOSED, 5,000.00 paid`, or, without a new state, the last changes: `#148 Ada: Submitted`. */
function formatSubjectChanges(
  environment: Environment,
  subject: MoveSubject,
  changes: readonly ChangeDescription[],
  isUndo: boolean,
): string {
  const name = formatSubject(environment, subject) ?? "";
  if (subject.investment !== undefined && changes.some(changesState)) {
    const investment = environment.read().state.investment(subject.investment);
    if (!investment) return `${name} is not created yet`;
    const { status, step, paid_amount: paid } = investment;
    const money = paid.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    return `${name} is ${isUndo ? "back at " : ""}${status}${step === null ? "" : ` in step ${step}`}, ${money} paid`;
  }
  const summaries = groupChanges(changes).map((group) => group.summaries.join(" · "));
  const lastSummaries =
    summaries.length > 3
      ? [`${formatCount(summaries.length - 2, "change")} before`, ...summaries.slice(-2)]
      : summaries;
  return `${name}: ${isUndo ? "undone: " : ""}${lastSummaries.join("; ")}`;
}
