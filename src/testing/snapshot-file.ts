import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Environment, RequestList } from "../public/control.ts";
import { shellWord } from "../text/curl.ts";
import { ownerOnly, makeFolder } from "../files/file.ts";
import { formatInstant, realTime } from "../time/instant.ts";
import { codeOf, messageOf } from "../validation/errors.ts";
import { asLabel, escaped } from "../text/text.ts";
import { commandHere } from "../package.ts";

/** Takes the snapshot of an environment. `titles`, of a test or a label, name the file. Rejects with ControlError. */
export async function snapshotFileOf(environment: Environment, titles: readonly string[]) {
  const snapshot = await environment.snapshot();
  const { journal } = snapshot["traffic"] as { readonly journal: RequestList };
  return {
    name: fileNameOf(titles),
    /** JSON. */
    text: `${JSON.stringify({ saved_at: formatInstant(realTime()), ...snapshot })}\n`,
    hasFixture: snapshot.fixture_document !== null,
    hasResponses: journal.data.some(({ status }) => status !== null),
  };
}

/**
 * Writes a snapshot to a folder, if there is one. Returns a line with the command that replays it, or that starts a
 * sandbox from it if it has no response; or with the reason why it could not be written.
 */
export async function writeSnapshot(
  folderOf: () => Promise<string | null | undefined>,
  takeSnapshot: () => ReturnType<typeof snapshotFileOf>,
): Promise<string[]> {
  try {
    const folder = await folderOf();
    if (typeof folder !== "string") return [];
    const { name, text, hasFixture, hasResponses } = await takeSnapshot();
    await makeFolder(folder);
    const file = relative("", await writeNewFile(join(folder, name), text));
    const fixtureFlag = hasFixture ? "" : " --fixture FILE";
    const command = hasResponses ? "replay" : "start --snapshot";
    return [escaped(`${commandHere()} ${command} ${shellWord(file)}${fixtureFlag}`)];
  } catch (error) {
    return [`its snapshot could not be written: ${escaped(messageOf(error))}`];
  }
}

/** The maximum length of a file's name in bytes: most systems limit it to 255. */
const maxNameLength = 200;

function fileNameOf(titles: readonly string[]): string {
  const words = asLabel(titles.join("-"), 400).replaceAll(/[^\p{L}\p{M}\p{N}._]+/gu, "-");
  const start = Buffer.from(words.replace(/^[-.]+/, "")).subarray(0, maxNameLength);
  return start.toString().replace(/[-\ufffd]+$/, "") || "snapshot";
}

/** The maximum number of snapshots with one name. */
const maxFilesOfName = 100;

/** Writes a new file: another worker may have taken the name, and a link may lead anywhere. Returns its path. */
async function writeNewFile(path: string, text: string): Promise<string> {
  for (let number = 1; ; number++) {
    const file = `${number === 1 ? path : `${path}-${number}`}.json`;
    try {
      await writeFile(file, text, { flag: "wx", mode: ownerOnly });
      return file;
    } catch (error) {
      if (codeOf(error) !== "EEXIST" || number === maxFilesOfName) throw error;
    }
  }
}
