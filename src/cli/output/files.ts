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
 * Writes a file completely or not at all, and creates its folders. A device or a pipe, such as `/dev/stdout`, is
 * written directly. Follows a link. Throws FileWriteError.
 */
export async function replaceFile(file: string, text: string, mode?: number): Promise<void> {
  const status = await stat(file).catch(() => undefined);
  const isSpecialFile = status !== undefined && !status.isFile();
  const path = await realpath(file).catch(() => file);
  const draft = `${path}.${process.pid}.tmp`;
  try {
    if (status?.isDirectory()) throw new Error("it is a folder");
    if (!status) await makeFolder(dirname(file));
    // An existing file of this name is an old draft, or a link that another user made to another file.
    if (!isSpecialFile) await rm(draft, { force: true });
    await writeFile(isSpecialFile ? file : draft, text, { mode, flag: isSpecialFile ? "w" : "wx" });
    if (!isSpecialFile) await rename(draft, path);
  } catch (error) {
    // A draft that could not be written may not be removable either.
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
