import { readFileSync } from "node:fs";
import type { LocalSandbox, RunDescription, RunStep, Sandbox } from "../../public/control.ts";
import { escaped, formatCount } from "../../text/text.ts";
import { portalLink } from "../../text/origin.ts";
import { waitingRuns } from "../commands/runs.ts";
import { formatClock, formatError } from "../output/text.ts";
import type { Log } from "../output/log.ts";
import { openBrowser } from "./process.ts";

/** The keys of the terminal, with their commands. */
const terminalKeys = [
  { key: "n", effect: "next step", press: playNext },
  { key: "a", effect: "advance by a day", press: advanceDay },
  { key: "r", effect: "reset", press: resetEnvironment },
  { key: "p", effect: "portal", press: openPortal },
];

/** The effect of each key. */
export const keyEffects = [...terminalKeys.map(({ key, effect }) => [key, effect] as const), ["q", "quit"] as const];

/** Returns a handler for each key. Commands run one after the other, even if keys are pressed faster. */
function pressHandlers(sandbox: LocalSandbox, log: Log, quit: () => void): Readonly<Record<string, () => void>> {
  let lastCommand = Promise.resolve();
  const handlers = terminalKeys.map(({ key, press }) => {
    const handler = (): void => {
      lastCommand = lastCommand
        .then(() => press(sandbox, log))
        .catch((error: unknown) => log.error(formatError(error)));
    };
    return [key, handler] as const;
  });
  return { ...Object.fromEntries(handlers), q: quit };
}

async function playNext(sandbox: Sandbox, log: Log): Promise<void> {
  const [run] = waitingRuns(await sandbox.runs.list());
  if (!run) return log.done("next", "No run has a waiting step.");
  log.done("next", formatPlayedStep(run, await sandbox.runs.next(run.id)));
}

/** Formats `closing on #146 Ada Lovelace (run-1): step 3 of 7 played, waiting`. */
function formatPlayedStep(earlierRun: RunDescription, laterRun: RunDescription): string {
  const waitingSteps = new Set(earlierRun.steps.filter(({ status }) => status === "waiting").map(stepKey));
  const playedSteps = laterRun.steps.filter((step) => step.status === "done" && waitingSteps.has(stepKey(step)));
  const steps = [...new Set(playedSteps.map(({ index }) => index + 1))].join(", ");
  const stepCount = Math.max(...laterRun.steps.map(({ index }) => index + 1));
  const investments = new Set(playedSteps.map(({ investment_id: id }) => id)).size;
  const subject = investments > 1 ? ` for ${formatCount(investments, "investment")}` : "";
  return `${escaped(laterRun.title)} (${laterRun.id}): step ${steps} of ${stepCount} played${subject}, ${laterRun.status}`;
}

function stepKey({ investment_id: investment, index }: RunStep): string {
  return `${investment} ${index}`;
}

async function advanceDay(sandbox: Sandbox, log: Log): Promise<void> {
  const { applied_count, stopped: _, ...reading } = await sandbox.clock.advance("1d");
  log.done("clock", `${formatClock(reading)}, ${formatCount(applied_count, "change")}`);
}

async function resetEnvironment(sandbox: Sandbox, log: Log): Promise<void> {
  await sandbox.reset();
  log.done("reset", `The environment was reset. Clock: ${formatClock(await sandbox.clock.get())}`);
}

async function openPortal(sandbox: LocalSandbox, log: Log): Promise<void> {
  log.portal(sandbox);
  const failure = await openBrowser(portalLink(sandbox.url, sandbox.adminToken));
  if (failure !== undefined) log.warning(failure);
}

const controlC = "\u0003";

/** Opens the keyboard of the terminal; undefined without a terminal. Keys are not echoed, and wait for `listen`. */
export function openKeyboard() {
  const { stdin } = process;
  if (!stdin.isTTY || !process.stdout.isTTY || !isInForeground()) return undefined;
  const restoreMode = (): void => void stdin.setRawMode(false);
  stdin.setEncoding("utf8").setRawMode(true);
  process.once("exit", restoreMode);
  return {
    /** Runs the command of each key, `quit` for `q`. Ctrl-C stays a SIGINT. */
    listen(sandbox: LocalSandbox, log: Log, quit: () => void): void {
      const handlers = pressHandlers(sandbox, log, quit);
      const handleKeys = (keys: string): void => {
        for (const key of keys) {
          if (key === controlC) process.kill(process.pid, "SIGINT");
          else handlers[key]?.();
        }
      };
      stdin.on("data", handleKeys).resume();
    },
    close(): void {
      process.off("exit", restoreMode);
      restoreMode();
      stdin.removeAllListeners("data").pause();
    },
  };
}

/** Returns false for a background job on Linux: the kernel would stop it for reading the terminal. */
function isInForeground(): boolean {
  try {
    const fields = readFileSync("/proc/self/stat", "latin1").split(") ").at(-1)?.split(" ") ?? [];
    const [, , group, , , foregroundGroup] = fields;
    return group === foregroundGroup;
  } catch {
    return true;
  }
}
