import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { callerOf, noteOtherFolder } from "../../src/cli/connection.ts";
import { startRunning } from "../../src/sandbox/start-running.ts";
import { temporaryFolder } from "./cli.ts";

test("a command that has changed the sandbox of another folder says so, and one in its folder or below does not", async () => {
  const here = process.cwd();
  const elsewhere = temporaryFolder();
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const noteFor = async (folder: string): Promise<string> => {
    const { sandbox } = await startRunning({ config: false }, { folder });
    written.mockClear();
    const connection = { url: sandbox.url, json: false, token: undefined, environment: undefined, isNamed: false };
    await noteOtherFolder(await callerOf(connection));
    await sandbox.close();
    return written.mock.calls.map(([text]) => String(text)).join("");
  };
  expect(await noteFor(elsewhere)).toMatch(
    /^This changed the sandbox at .* \(in .*, since .* UTC\)\. To change another sandbox, use --url\.\n$/,
  );
  expect(await noteFor(elsewhere)).toContain(elsewhere);
  expect(await noteFor(join(here, "below"))).toContain(join(here, "below"));
  expect([await noteFor(here), await noteFor(join(here, ".."))]).toEqual(["", ""]);
});
