import type { Sandbox } from "../../control.ts";
import { explain } from "../failure.ts";
import type { Log } from "../log/log.ts";
import { changeLines } from "../show/change-lines.ts";
import { clockReading } from "../show/clock-reading.ts";
import { count } from "../show/count.ts";
import { playedStep } from "../show/played-step.ts";
import { waitingRuns } from "../waiting-runs.ts";

/** A key of the terminal. */
interface KeyCommand {
  readonly key: string;
  readonly effect: string;
  readonly press: (sandbox: Sandbox, log: Log) => Promise<void>;
}

const keyCommands: readonly KeyCommand[] = [
  { key: "n", effect: "play the next waiting step", press: playNext },
  { key: "a", effect: "advance the clock by a day", press: advance },
  { key: "r", effect: "reset", press: reset },
];

/** What each key does, for people. */
export const keyEffects = [...keyCommands.map(({ key, effect }) => [key, effect] as const), ["q", "quit"] as const];

/** What to call when a key is pressed. One command after the other, however fast somebody types. */
export function keyHandlers(sandbox: Sandbox, log: Log, quit: () => void): Readonly<Record<string, () => void>> {
  let last = Promise.resolve();
  const handlers = keyCommands.map(({ key, press }) => {
    const handler = (): void => {
      last = last.then(() => press(sandbox, log)).catch((error: unknown) => log.error(explain(error)));
    };
    return [key, handler] as const;
  });
  return { ...Object.fromEntries(handlers), q: quit };
}

async function playNext(sandbox: Sandbox, log: Log): Promise<void> {
  const [run] = waitingRuns(await sandbox.runs.list());
  if (!run) return log.done("next", "No run waits for its next step.");
  log.done("next", playedStep(run, await sandbox.runs.next(run.id)));
}

/** More scrolls the terminal away. */
const mostShown = 10;

async function advance(sandbox: Sandbox, log: Log): Promise<void> {
  const { applied, ...reading } = await sandbox.clock.advance("1d");
  const lines = changeLines(applied, mostShown).map((line) => `\n       ${line}`);
  log.done("clock", `${clockReading(reading)}, ${count(applied.length, "change")}${lines.join("")}`);
}

async function reset(sandbox: Sandbox, log: Log): Promise<void> {
  await sandbox.reset();
  log.done("reset", `Everything is as it was at the start. Clock: ${clockReading(await sandbox.clock.get())}`);
}
