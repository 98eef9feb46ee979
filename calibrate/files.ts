import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { checkConfig } from "./config.ts";
import type { CalibrationReport } from "./report.ts";
import { readReport } from "./report-schema.ts";
import type { Terminal } from "./terminal.ts";
import { Mistake } from "../src/model/mistakes.ts";
import { escaped } from "../src/model/text.ts";

/** Reads the report that a service is checked against. Throws a Mistake if there is none. */
export async function earlierReport(file: string, terminal: Terminal): Promise<CalibrationReport> {
  const written = await presentText(file, terminal);
  if (written === undefined)
    throw new Mistake(
      `--check needs the report of a calibration: there is no ${escaped(file)}. Name one with --report, or calibrate without --check first.`,
    );
  return readReport(file, written);
}

/** The files that are written, as they are before: undefined where there is none. */
export interface FilesToWrite {
  readonly config: string | undefined;
  readonly report: CalibrationReport | undefined;
}

/** Reads the files that are to be written. Throws a Mistake if one cannot be, before anything is sent. */
export async function filesToWrite(
  { out, report }: { readonly out: string; readonly report: string },
  terminal: Terminal,
): Promise<FilesToWrite> {
  if (resolve(out) === resolve(report)) throw new Mistake("--out and --report: expected two files, not one.");
  for (const [flag, file] of Object.entries({ out, report })) {
    const folder = dirname(resolve(file));
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new Mistake(`--${flag}: there is no folder for ${escaped(file)}.`);
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
      throw new Mistake(`--${flag}: ${escaped(file)} is a folder; expected a file.`);
    try {
      accessSync(folder, constants.W_OK);
    } catch {
      throw new Mistake(`--${flag}: ${escaped(file)} cannot be written: permission denied for its folder.`);
    }
  }
  const [config, earlier] = await Promise.all([presentText(out, terminal), presentText(report, terminal)]);
  checkConfig(out, config);
  return { config, report: earlier === undefined ? undefined : readReport(report, earlier) };
}

/** The text of a file; undefined if there is none. */
async function presentText(file: string, { readTextFile }: Terminal): Promise<string | undefined> {
  return existsSync(file) ? readTextFile(file) : undefined;
}
