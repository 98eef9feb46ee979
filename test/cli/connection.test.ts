import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { callerOf, noteOtherFolder } from "../../src/cli/connection.ts";
import { startRunning } from "../../src/sandbox/start-running.ts";
import { temporaryFolder } from "./cli.ts";

test("a command says that it changed the sandbox of another folder, except of the current folder or one above it", async () => {
  const currentFolder = process.cwd();
  const otherFolder = temporaryFolder();
  const writeToStderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const noteFor = async (folder: string): Promise<string> => {
    const { sandbox } = await startRunning({ config: false }, { folder });
    writeToStderr.mockClear();
    const connection = { url: sandbox.url, json: false, token: undefined, environment: undefined, isNamed: false };
    await noteOtherFolder(await callerOf(connection));
    await sandbox.close();
    return writeToStderr.mock.calls.map(([text]) => String(text)).join("");
  };
  expect(await noteFor(otherFolder)).toMatch(
    /^This changed the sandbox at .* \(in .*, since .* UTC\)\. To change another sandbox, use --url\.\n$/,
  );
  expect(await noteFor(otherFolder)).toContain(otherFolder);
  expect(await noteFor(join(currentFolder, "below"))).toContain(join(currentFolder, "below"));
  expect([await noteFor(currentFolder), await noteFor(join(currentFolder, ".."))]).toEqual(["", ""]);
});
