import { readFileSync } from "node:fs";

const controlC = "\u0003";

/** Whether there is a terminal to read. */
export function hasKeyboard(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY && inForeground();
}

/** Calls the handler of each key pressed on the terminal; Ctrl-C stays a SIGINT. Answers what gives the terminal back. */
export function onKeys(handlers: Readonly<Record<string, () => void>>): () => void {
  const { stdin } = process;
  const pressed = (keys: string): void => {
    for (const key of keys) {
      if (key === controlC) process.kill(process.pid, "SIGINT");
      else handlers[key]?.();
    }
  };
  stdin.setEncoding("utf8").setRawMode(true).on("data", pressed).resume();
  const giveBack = (): void => void stdin.setRawMode(false);
  process.once("exit", giveBack);
  return () => {
    process.off("exit", giveBack);
    stdin.off("data", pressed).setRawMode(false).pause();
  };
}

/** A job in the background that reads its terminal is stopped by the kernel. Only Linux says which one we are. */
function inForeground(): boolean {
  try {
    const fields = readFileSync("/proc/self/stat", "latin1").split(") ").at(-1)?.split(" ") ?? [];
    const [, , group, , , foregroundGroup] = fields;
    return group === foregroundGroup;
  } catch {
    return true;
  }
}
