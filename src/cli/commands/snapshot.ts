import { ownerOnly } from "../../files/file.ts";
import { formatInstant, realTime } from "../../time/instant.ts";
import { escaped, quoted } from "../../text/text.ts";
import { operationCommand } from "../operation-command.ts";
import { replaceFile } from "../output/files.ts";
import { printError } from "../output/terminal.ts";
import { clockReading } from "../output/text.ts";

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
        const { startLine } = await import("../../environment/snapshot.ts");
        const missing = `the fixture ${quoted(document.fixture)} is not in it`;
        printError(`warning  ${missing}: ${startLine(document, file === undefined ? "FILE" : escaped(file))}`);
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
      const { snapshotDocument } = await import("../../control/files.ts");
      return sandbox.call("restoreSnapshot", { body: await snapshotDocument(file) });
    },
    render: ({ id, clock }) => `Environment "${id}" was restored: ${clockReading(clock)}.`,
  }),
];
