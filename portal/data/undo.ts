import { computed, signal } from "@preact/signals";
import { environmentId } from "../base/routes.ts";
import { barriers } from "./api.ts";
import { type MessageAction, say } from "./commands.ts";

/** A step of the user that can be undone. */
interface Step {
  readonly mark: string;
  /** Undoes the step, and shows the result. */
  readonly takeBack: () => Promise<unknown>;
}

const maxSteps = 10;

/** The steps of one mark follow each other, with nothing between that cannot be undone. */
const mark = computed(() => `${environmentId.value} ${barriers.value}`);

/** The steps that can be undone, the newest last. */
const steps = signal<readonly Step[]>([]);

let lastTurn: Promise<unknown> = Promise.resolve();

/** Runs a step after all earlier ones. */
export function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
  const result = lastTurn.then(run);
  lastTurn = result;
  return result;
}

/** Resolves when all steps so far have shown their results. */
export function settled(): Promise<unknown> {
  return lastTurn;
}

/** Records a step in the environment on screen. */
export function noteStep(takeBack: () => Promise<unknown>): void {
  steps.value = [...steps.value, { mark: mark.peek(), takeBack }].slice(-maxSteps);
}

function lastStep(): Step | undefined {
  return steps.value.findLast((step) => step.mark === mark.value);
}

/** Undoes the last step in the environment on screen, which may be under way. */
export async function undo(): Promise<void> {
  await settled();
  const step = lastStep();
  if (!step) return say(steps.value.length > 0 ? "What happened last cannot be undone." : "There is nothing to undo.");
  steps.value = steps.value.filter((other) => other !== step);
  await step.takeBack();
}

/** The button of a message about a step that was done or undone; undefined if no step is left to undo. */
export function undoAction(label: "Undo" | "Undo more" = "Undo"): MessageAction | undefined {
  return lastStep() && { label, run: () => void undo() };
}
