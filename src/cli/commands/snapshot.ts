import type { Snapshot } from "../../control.ts";
import { escaped, quoted } from "../../model/text.ts";
import { connectedCommand } from "../connection.ts";
import { replaceFile } from "../output/replace-file.ts";
import { printError } from "../output/terminal.ts";
import { clockReading } from "../output/text.ts";

export const snapshotCommands = [
  connectedCommand({
    name: "snapshot",
    summary: "Print the whole environment as one document, or write it to a file.",
    operand: "[file]",
    examples: [
      ["snapshot state.json", "for restore, start --snapshot, or openEnvironment({ snapshot }) in a test"],
      ["snapshot > state.json", "the same"],
    ],
    ask: (file) => async (environment) => {
      const document = await environment.snapshot();
      if (file !== undefined) await replaceFile(file, `${JSON.stringify(document, null, 1)}\n`);
      if (document.fixture_document === null) {
        const { startLine } = await import("../../environment/snapshot.ts");
        const missing = `the fixture ${quoted(document.fixture)} is not in it`;
        printError(`warning  ${missing}: ${startLine(document, file === undefined ? "FILE" : escaped(file))}`);
      }
      return file === undefined ? document : { file };
    },
    show: (result, { id }) => ("format" in result ? undefined : `Environment "${id}" was written to ${result.file}.`),
  }),
  connectedCommand({
    name: "restore",
    summary: "Restore an environment from the file of a snapshot, of any environment over the same fixture.",
    operand: "file",
    examples: [["restore state.json", "the file of snapshot state.json, in this process or another"]],
    ask: async (file) => {
      const { snapshotDocument } = await import("../../control/files.ts");
      const document = (await snapshotDocument(file)) as Snapshot;
      return async (environment) => {
        await environment.restore(document);
        return environment.clock.get();
      };
    },
    show: (clock, { id }) => `Environment "${id}" was restored: ${clockReading(clock)}.`,
  }),
];
