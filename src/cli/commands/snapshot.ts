import { ownerOnly } from "../../files/file.ts";
import { formatInstant, realTime } from "../../time/instant.ts";
import { escaped, isName, quoted } from "../../text/text.ts";
import { operationCommand } from "../operation-command.ts";
import { replaceFile } from "../output/files.ts";
import { print, printError, printJson } from "../output/terminal.ts";
import { formatClock, alignColumns } from "../output/text.ts";
import type { ReplayedRequest, ReplayReport, Snapshot } from "../../public/control.ts";
import type { ReplayOptions } from "../../public/requests.ts";
import { FileValidationError, messageOf, ValidationError, FileReadError } from "../../validation/errors.ts";
import { version } from "../../package.ts";
import type { Settings } from "../../settings/settings.ts";
import { startSettings } from "../../settings/start-settings.ts";
import { readAll } from "../../settings/values.ts";
import { type Command, programName } from "../command.ts";
import { jsonFlag } from "../connection.ts";

const replayFlags = {
  profile: { ...startSettings.profile, default: undefined, defaultText: "the assumptions of the time" },
  assumptions: startSettings.assumptions,
  fixture: {
    ...startSettings.fixture,
    default: undefined,
    help: "the fixture of a snapshot that does not contain it, because it is too large",
  },
  ...jsonFlag,
} as const satisfies Settings;

const replayCommand: Command = {
  name: "replay",
  summary: "Replay the requests of a snapshot, and show which responses are different.",
  operand: "file",
  flags: replayFlags,
  examples: [
    [
      "replay monday.json",
      "exit code 0: all responses are identical; 3: some are different, or none was compared; 2: not a snapshot",
    ],
    ["replay monday.json --profile minimal", "shows which responses depend on an assumption"],
  ],
  async run({ operands: [file = ""], flagValues }) {
    const { fixture, profile, assumptions, json } = readAll(replayFlags, flagValues);
    const { snapshot, report } = await replayFile(file, fixture, { profile, assumptions });
    if (json) printJson(report);
    else print(formatReplay(report, snapshot));
    return report.different > 0 || report.same === 0 ? 3 : 0;
  },
};

/** Replays the snapshot in a file. Throws ValidationError if it is not a snapshot, or if its fixture is missing. */
async function replayFile(file: string, fixture: string | undefined, options: ReplayOptions) {
  try {
    const { readSnapshotDocument } = await import("../../control/files.ts");
    const snapshot = (await readSnapshotDocument(file)) as Snapshot;
    if (snapshot.fixture_document === null && fixture === undefined) {
      const path = isName(snapshot.fixture) ? `${snapshot.fixture}.json` : "FIXTURE";
      throw new ValidationError(
        `it does not contain its fixture: ${programName} replay ${escaped(file)} --fixture ${path}`,
      );
    }
    const { startRunning } = await import("../../sandbox/start-running.ts");
    const startOptions = fixture === undefined ? { fixture: "empty" } : { fixture, seed: snapshot.seed };
    await using sandbox = (await startRunning({ ...startOptions, admin: false }, { isAlone: true })).sandbox;
    return { snapshot, report: await sandbox.replay(snapshot, options) };
  } catch (error) {
    if (error instanceof FileValidationError || error instanceof FileReadError)
      throw new ValidationError(error.message, { cause: error });
    throw error instanceof Error
      ? new ValidationError(`${escaped(file)}: ${messageOf(error)}`, { cause: error })
      : error;
  }
}

/** Formats a line for each request, and the totals. */
function formatReplay({ entries, same, different, skipped }: ReplayReport, { program }: Snapshot): string {
  const lines = alignColumns(
    entries.map(({ id, date, method, path, status, ...outcome }) => [
      String(id).padStart(4),
      date.slice(0, 19).replace("T", " "),
      `${method} ${path}`,
      String(status ?? ""),
      formatOutcome(outcome),
    ]),
  );
  const versions =
    different > 0 && program !== version
      ? [`The snapshot was made by offering-sandbox ${program}; this is ${version}.`]
      : [];
  const noComparison = same + different > 0 ? [] : [entries.length > 0 ? nothingRepeatable : nothingRecorded];
  return [...lines, `${same} same, ${different} different, ${skipped} skipped`, ...noComparison, ...versions].join(
    "\n",
  );
}

const nothingRepeatable = "Nothing was compared: no request of this snapshot can be replayed.";
const nothingRecorded = "Nothing was compared: no request with a key of its sandbox is in this snapshot.";

/** The maximum number of differing members that a line names. */
const maxShownMembers = 3;

function formatOutcome({
  result,
  reason,
  differs = [],
}: Pick<ReplayedRequest, "result" | "reason" | "differs">): string {
  if (result === "same") return "same";
  if (result === "skipped") return `skipped: ${reason}`;
  const rest = differs.length > maxShownMembers ? [`${differs.length - maxShownMembers} more`] : [];
  return `different: ${[reason, ...differs.slice(0, maxShownMembers), ...rest].filter(Boolean).join(", ") || "its bytes"}`;
}

export const snapshotCommands = [
  operationCommand("snapshot", "getSnapshot", {
    summary: "Print the whole environment as one document, or write it to a file.",
    operand: "[file]",
    examples: [
      ["snapshot state.json", "for restore, start --snapshot, or openEnvironment({ snapshot }) in a test"],
      ["snapshot > state.json", "the same"],
    ],
    request: async (sandbox, _, file) => {
      const document = { saved_at: formatInstant(realTime()), ...(await sandbox.call("getSnapshot")) };
      if (file !== undefined) await replaceFile(file, `${JSON.stringify(document, null, 1)}\n`, ownerOnly);
      if (document.fixture_document === null) {
        const { startCommand } = await import("../../environment/snapshot.ts");
        const missing = `the snapshot does not contain the fixture ${quoted(document.fixture)}`;
        printError(`warning  ${missing}: ${startCommand(document, file === undefined ? "FILE" : escaped(file))}`);
      }
      return file === undefined ? document : { file };
    },
    render: (result, { environment: id }) =>
      "format" in result ? undefined : `Environment "${id}" was written to ${result.file}.`,
  }),
  operationCommand("restore", "restoreSnapshot", {
    flags: () => ({}),
    summary: "Restore an environment from the file of a snapshot, of any environment over the same fixture.",
    operand: "file",
    examples: [["restore state.json", "the file of snapshot state.json, in this process or another"]],
    request: async (sandbox, _, file = "") => {
      const { readSnapshotDocument } = await import("../../control/files.ts");
      return sandbox.call("restoreSnapshot", { body: await readSnapshotDocument(file) });
    },
    render: ({ id, clock }) => `Environment "${id}" was restored: ${formatClock(clock)}.`,
  }),
  replayCommand,
];
