import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { readTextFile } from "../src/model/file.ts";
import { Mistake } from "../src/model/mistakes.ts";
import { escaped } from "../src/model/text.ts";
import { type CalibrationReport, readReport } from "./report.ts";

/** Reads the report of an earlier calibration; undefined if there is none. Throws a Mistake for another file. */
export async function earlierReport(file: string): Promise<CalibrationReport | undefined> {
  return existsSync(file) ? readReport(file, await readTextFile(file)) : undefined;
}

/** Throws a Mistake, before anything is sent, if a file cannot be written. */
export function checkWritable(files: { readonly out: string; readonly report: string }): void {
  if (resolve(files.out) === resolve(files.report))
    throw new Mistake("--out and --report: expected two files, not one.");
  for (const [flag, file] of Object.entries(files)) {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
      throw new Mistake(`--${flag}: ${escaped(file)} is a folder; expected a file.`);
    try {
      accessSync(dirname(resolve(file)), constants.W_OK);
    } catch {
      throw new Mistake(`--${flag}: there is no folder for ${escaped(file)} in which a file can be written.`);
    }
  }
}
