import type { RunDescription, RunStep } from "../../control.ts";
import type { Instant } from "../../model/instant.ts";
import { repetitions } from "./repetition.ts";
import { hasArrived, type Run, type Track } from "./run.ts";

/** A run as it stands at an instant. */
export function describeRun(run: Run, now: Instant): RunDescription {
  const steps = run.tracks.flatMap((track) =>
    run.scenario.steps.map((_, index) => describeStep(run, track, index, now)),
  );
  return {
    id: run.id,
    scenario: run.scenario.name,
    status: statusOf(run, steps),
    problem: run.problem,
    investment_ids: run.tracks.map((track) => track.investment_id),
    steps,
  };
}

/** A run waits when nothing of it will happen by time alone. */
function statusOf(run: Run, steps: readonly RunStep[]): RunDescription["status"] {
  if (run.stopped) return "stopped";
  const has = (wanted: RunStep["status"]): boolean => steps.some(({ status }) => status === wanted);
  if (run.tracks.length < repetitions(run) || has("scheduled")) return "running";
  if (has("waiting")) return "waiting";
  return has("pending") ? "running" : "finished";
}

function describeStep(run: Run, track: Track, index: number, now: Instant): RunStep {
  const { investment_id, dues } = track;
  const due = dues[index] ?? null;
  const status = (): RunStep["status"] => {
    if (due !== null && due <= now) return "done";
    if (run.stopped) return "stopped";
    if (due !== null) return "scheduled";
    return index === dues.length && hasArrived(track, now) ? "waiting" : "pending";
  };
  return { index, investment_id, status: status(), due };
}
