import { readFileSync } from "node:fs";
import type { LocalSandbox, RunDescription, RunStep, Sandbox } from "../../public/control.ts";
import { escaped } from "../../text/text.ts";
import { portalLink } from "../../text/origin.ts";
import { waitingRuns } from "../commands/runs.ts";
import { clockReading, count, explain } from "../output/text.ts";
import type { Log } from "../output/log.ts";
import { openBrowser } from "./process.ts";

/** The keys of the terminal. */
const terminalKeys = [
  { key: "n", effect: "next step", press: playNext },
  { key: "a", effect: "advance by a day", press: advanceDay },
  { key: "r", effect: "reset", press: resetEnvironment },
  { key: "p", effect: "portal", press: openPortal },
];

/** The effect of each key, for people. */
export const keyEffects = [...terminalKeys.map(({ key, effect }) => [key, effect] as const), ["q", "quit"] as const];

/** Returns a handler for each key. Commands run one after the other, however fast somebody types. */
function pressHandlers(sandbox: LocalSandbox, log: Log, quit: () => void): Readonly<Record<string, () => void>> {
  let last = Promise.resolve();
  const handlers = terminalKeys.map(({ key, press }) => {
    const handler = (): void => {
      last = last.then(() => press(sandbox, log)).catch((error: unknown) => log.error(explain(error)));
    };
    return [key, handler] as const;
  });
  return { ...Object.fromEntries(handlers), q: quit };
}

async function playNext(sandbox: Sandbox, log: Log): Promise<void> {
  const [run] = waitingRuns(await sandbox.runs.list());
  if (!run) return log.done("next", "No run has a waiting step.");
  log.done("next", playedStep(run, await sandbox.runs.next(run.id)));
}

/** `closing on #146 Ada Lovelace (run-1): step 3 of 7 played, waiting`, from the run before and after. */
function playedStep(before: RunDescription, after: RunDescription): string {
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

async function advanceDay(sandbox: Sandbox, log: Log): Promise<void> {
  const { applied_count, stopped: _, ...reading } = await sandbox.clock.advance("1d");
  log.done("clock", `${clockReading(reading)}, ${count(applied_count, "change")}`);
}

async function resetEnvironment(sandbox: Sandbox, log: Log): Promise<void> {
  await sandbox.reset();
  log.done("reset", `The environment was reset. Clock: ${clockReading(await sandbox.clock.get())}`);
}

async function openPortal(sandbox: LocalSandbox, log: Log): Promise<void> {
  log.portal(sandbox);
  const failure = await openBrowser(portalLink(sandbox.url, sandbox.adminToken));
  if (failure !== undefined) log.warning(failure);
}

const controlC = "\u0003";

/** Reads the keys of the terminal; undefined if there is none. Keys wait unseen until somebody listens. */
export function openKeyboard() {
  const { stdin } = process;
  if (!stdin.isTTY || !process.stdout.isTTY || !inForeground()) return undefined;
  const giveBack = (): void => void stdin.setRawMode(false);
  stdin.setEncoding("utf8").setRawMode(true);
  process.once("exit", giveBack);
  return {
    /** Acts on each key, `q` by `quit`; Ctrl-C stays a SIGINT. */
    listen(sandbox: LocalSandbox, log: Log, quit: () => void): void {
      const handlers = pressHandlers(sandbox, log, quit);
      const pressed = (keys: string): void => {
        for (const key of keys) {
          if (key === controlC) process.kill(process.pid, "SIGINT");
          else handlers[key]?.();
        }
      };
      stdin.on("data", pressed).resume();
    },
    close(): void {
      process.off("exit", giveBack);
      giveBack();
      stdin.removeAllListeners("data").pause();
    },
  };
}

/** Returns false for a background job on Linux: the kernel would stop it for reading the terminal. */
function inForeground(): boolean {
  try {
    const fields = readFileSync("/proc/self/stat", "latin1").split(") ").at(-1)?.split(" ") ?? [];
    const [, , group, , , foregroundGroup] = fields;
    return group === foregroundGroup;
  } catch {
    return true;
  }
}
