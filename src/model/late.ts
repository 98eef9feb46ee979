import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { codeOf, messageOf, UnreadableFile } from "./mistakes.ts";

/** More than the files that Node opens at once for a load, so that some are left for connections that come meanwhile. */
const descriptors = 12;

/**
 * Returns a function that imports a module when it is first called. It throws UnreadableFile, and tries again when it is next
 * called, while the process has hardly any file descriptors left: Node would never try a load again that failed for want of
 * one.
 */
export function late<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Module | undefined;
  return async () => {
    if (loaded === undefined) {
      expectDescriptors();
      loaded = await load();
    }
    return loaded;
  };
}

function expectDescriptors(): void {
  const opened: number[] = [];
  try {
    while (opened.length < descriptors) opened.push(openSync(devNull, "r"));
  } catch (error) {
    if (!["EMFILE", "ENFILE"].includes(codeOf(error) ?? "")) return;
    const advice = "Close some connections, or allow the process more files (ulimit -n).";
    throw new UnreadableFile(`A part of offering-sandbox cannot be loaded: ${messageOf(error)}. ${advice}`);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
