import { existsSync } from "node:fs";
import { appendFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../../files/file.ts";
import { ValidationError, FileWriteError } from "../../validation/errors.ts";
import { escaped } from "../../text/text.ts";
import { onOrOff } from "../../settings/kinds.ts";

export const forceFlag = { force: { kind: onOrOff, default: false, help: "overwrite an existing file" } } as const;

/** Throws ValidationError if the file exists and `force` does not allow overwriting it. */
export function refuseExisting(file: string, force: boolean): void {
  if (!force && existsSync(file))
    throw new ValidationError(`${escaped(file)} exists already; use --force to overwrite it.`);
}

/**
 * Writes a file whole or not at all, and makes the folders above it; a device or a pipe, such as `/dev/stdout`, is
 * written as it is. Follows a link. Throws FileWriteError.
 */
export async function replaceFile(file: string, text: string, mode?: number): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  const isKept = found !== undefined && !found.isFile();
  const path = await realpath(file).catch(() => file);
  const draft = `${path}.${process.pid}.tmp`;
  try {
    if (found?.isDirectory()) throw new Error("it is a folder");
    if (!found) await makeFolder(dirname(file));
    // A draft of this name is an old one, or a link of somebody else to another file.
    if (!isKept) await rm(draft, { force: true });
    await writeFile(isKept ? file : draft, text, { mode, flag: isKept ? "w" : "wx" });
    if (!isKept) await rename(draft, path);
  } catch (error) {
    // A draft that could not be written cannot be removed.
    await rm(draft, { force: true }).catch(() => undefined);
    throw new FileWriteError(file, error);
  }
}

/** Appends the lines of a report to the summary of a GitHub job, if this runs in one. Throws FileWriteError. */
export async function appendStepSummary(lines: readonly string[]): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file = "" } = process.env;
  if (file === "") return;
  try {
    await appendFile(file, ["```text", ...lines, "```", ""].join("\n"));
  } catch (error) {
    throw new FileWriteError(file, error);
  }
}
