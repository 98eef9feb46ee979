import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { codeOf, Mistake } from "../src/model/mistakes.ts";
import { escaped } from "../src/model/text.ts";
import { checkConfig } from "./config.ts";
import { type CalibrationReport, readReport } from "./report.ts";
import type { Terminal } from "./terminal.ts";

/** Reads the report for `--check`. Throws a Mistake if there is none. */
export async function earlierReport(file: string, terminal: Terminal): Promise<CalibrationReport> {
  const written = await presentText(file, terminal);
  if (written !== undefined) return readReport(file, written);
  throw new Mistake(
    `--check needs the report of a calibration: there is no ${escaped(file)}. Name one with --report, or calibrate without --check first.`,
  );
}

/** The contents of the files before they are written: undefined where there is none. */
export interface FilesToWrite {
  readonly config: string | undefined;
  readonly report: CalibrationReport | undefined;
}

/** Reads the files of `--out` and `--report`. Throws a Mistake, before anything is sent, if one cannot be written. */
export async function filesToWrite(
  { out, report }: { readonly out: string; readonly report: string },
  terminal: Terminal,
): Promise<FilesToWrite> {
  if (resolve(out) === resolve(report)) throw new Mistake("--out and --report: expected two files, not one.");
  for (const [flag, file] of Object.entries({ out, report })) {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
      throw new Mistake(`--${flag}: ${escaped(file)} is a folder; expected a file.`);
    try {
      accessSync(`${dirname(resolve(file))}/`, constants.W_OK);
    } catch (error) {
      const isForbidden = ["EACCES", "EPERM", "EROFS"].includes(codeOf(error) ?? "");
      throw new Mistake(
        isForbidden
          ? `--${flag}: ${escaped(file)} cannot be written: permission denied for its folder.`
          : `--${flag}: there is no folder for ${escaped(file)}.`,
      );
    }
  }
  const [config, earlier] = await Promise.all([presentText(out, terminal), presentText(report, terminal)]);
  checkConfig(out, config);
  return { config, report: earlier === undefined ? undefined : readReport(report, earlier) };
}

async function presentText(file: string, { readTextFile }: Terminal): Promise<string | undefined> {
  return existsSync(file) ? readTextFile(file) : undefined;
}
