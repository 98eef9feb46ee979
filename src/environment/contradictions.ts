import type { Instant } from "../model/instant.ts";
import { kindOf } from "./effects.ts";
import type { EnvironmentSetup, WholeContent } from "./environment-content.ts";
import { repetitions, type Run, type Track } from "./run.ts";

/**
 * Yields the contradictions between the members of a content, each of the right shape. Whether the changes can have
 * happened is left to `History.check`. The investment of a run may be gone: with a stopped run, its creation goes.
 */
export function* contradictions(
  content: WholeContent,
  { dataset, keys, journalCapacity }: Pick<EnvironmentSetup, "dataset" | "keys" | "journalCapacity">,
): Generator<string> {
  const { changes, creations, runs, journal } = content;
  yield* orderContradictions(content);
  for (const [index, run] of runs.entries()) {
    const at = `runs[${index}]`;
    const { id, offering_id } = run;
    if (id !== `run-${index + 1}`) yield `${at}.id is ${id}; expected run-${index + 1}.`;
    if (!dataset.offering(offering_id)) yield `${at} is on an offering that is not there.`;
    for (const problem of runContradictions(run)) yield `${at} ${problem}`;
  }
  const secrets = new Set(keys.map(({ key }) => key));
  for (const change of changes) {
    if (change.kind !== "new_key") continue;
    if (secrets.has(change.key.key)) yield `the key ${change.key.id} has the secret of another key.`;
    secrets.add(change.key.key);
  }
  const commanded = changes.filter((change) => kindOf(change).creates && !change.origin).length;
  if (commanded > creations) yield `creations is ${creations}; expected ${commanded} at least.`;
  if ((journal?.data.length ?? 0) > journalCapacity) yield `journal.data has more than ${journalCapacity} entries.`;
}

function* orderContradictions({ changes, issued, runs }: WholeContent): Generator<string> {
  const steps = new Map(runs.map(({ id, scenario }) => [id, scenario.steps.length]));
  const sequences = new Set<number>();
  let last: { readonly date: Instant; readonly sequence: number } = { date: "", sequence: -1 };
  for (const [index, { date, sequence, origin }] of changes.entries()) {
    const at = `changes[${index}]`;
    if (date < last.date || (date === last.date && sequence <= last.sequence)) {
      yield `${at} is before the change before it.`;
    }
    if (sequences.has(sequence)) yield `${at}.sequence is that of another change.`;
    if (sequence >= issued) yield `${at}.sequence is ${sequence}; expected one below issued, ${issued}.`;
    if (origin && origin.step >= (steps.get(origin.run) ?? 0)) yield `${at}.origin is no step of a run.`;
    sequences.add(sequence);
    last = { date, sequence };
  }
}

function* runContradictions(run: Run): Generator<string> {
  const { scenario, tracks } = run;
  const { steps } = scenario;
  if (tracks.length > repetitions(run)) yield "has more tracks than repetitions.";
  if (tracks.some(({ dues }) => dues.length > steps.length)) yield "has more dates than steps.";
  if (!tracks.every(isInOrder)) yield "has steps that are not in the order of their dates.";
}

function isInOrder({ start, dues }: Track): boolean {
  const dates = [start, ...dues.filter((due) => due !== null)];
  return dates.every((date, index) => date >= (dates[index - 1] ?? ""));
}
