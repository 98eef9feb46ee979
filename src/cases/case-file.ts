import { rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Environment, Sandbox } from "../control.ts";
import { codeOf, messageOf } from "../model/mistakes.ts";
import { asLabel, escaped } from "../model/text.ts";
import { makeFolder } from "../sandbox/made-folder.ts";
import { replayLine } from "./replay-line.ts";
import { type CaseReason, storyOf } from "./story.ts";

/** A case before it is written: the texts of its two files. */
export interface Case {
  readonly name: string;
  /** The snapshot of the environment, in JSON. */
  readonly snapshot: string;
  /** The text for people. */
  readonly story: string;
  readonly hasFixture: boolean;
}

/** For a sandbox elsewhere: the folder of the variable, or else of the config file here. Throws as `configOptions`. */
export async function casesDirHere(): Promise<string | undefined> {
  const { OFFERING_SANDBOX_CASES_DIR: folder = "" } = process.env;
  if (folder !== "") return folder;
  const { configOptions, presentConfig } = await import("../sandbox/config-file.ts");
  const file = presentConfig();
  return file === undefined ? undefined : (await configOptions(file)).casesDir;
}

/** Makes the case of an open environment. Rejects with ControlError. */
export async function caseOf(server: Sandbox, environment: Environment, reason: CaseReason): Promise<Case> {
  const snapshot = await environment.snapshot();
  return {
    name: fileName(reason.titles),
    snapshot: `${JSON.stringify(snapshot)}\n`,
    story: await storyOf(server, environment, snapshot, reason),
    hasFixture: snapshot.fixture_document !== null,
  };
}

/**
 * Writes a case to a folder, if there is one. Returns a line with its file and the command that replays it, or with the reason
 * why it could not be written.
 */
export async function writeCase(
  folderOf: () => Promise<string | null | undefined>,
  make: () => Promise<Case>,
): Promise<string[]> {
  try {
    const folder = await folderOf();
    if (typeof folder !== "string") return [];
    const { name, snapshot, story, hasFixture } = await make();
    await makeFolder(folder);
    const path = await writeNew(join(folder, name), { ".json": snapshot, ".md": story });
    const file = relative("", `${path}.json`);
    return [`its case: ${escaped(file)}    ${escaped(replayLine(file, hasFixture))}`];
  } catch (error) {
    return [`its case could not be written: ${escaped(messageOf(error))}`];
  }
}

/** In bytes: most systems bound a name at 255. */
const longestName = 200;

function fileName(titles: readonly string[]): string {
  const words = asLabel(titles.join("-"), 400).replaceAll(/[^\p{L}\p{M}\p{N}._]+/gu, "-");
  const start = Buffer.from(words.replace(/^[-.]+/, "")).subarray(0, longestName);
  return start.toString().replace(/[-\ufffd]+$/, "") || "case";
}

/** How many cases may have one name. */
const mostOfName = 100;

/**
 * Writes files of one name and several endings, none of which was there: another test or worker may have the name, and a link
 * may lead anywhere. Returns their path without the ending.
 */
async function writeNew(path: string, texts: Readonly<Record<string, string>>): Promise<string> {
  for (let number = 1; ; number++) {
    const free = number === 1 ? path : `${path}-${number}`;
    const written: string[] = [];
    try {
      for (const [ending, text] of Object.entries(texts)) {
        await writeFile(free + ending, text, { flag: "wx" });
        written.push(free + ending);
      }
      return free;
    } catch (error) {
      for (const file of written) await rm(file);
      if (codeOf(error) !== "EEXIST" || number === mostOfName) throw error;
    }
  }
}
