import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { type Log, openLog } from "../../src/cli/output/log.ts";
import type { RequestEntry } from "../../src/index.ts";
import { fakeBrowser, openCommandLine, temporaryFolder } from "./cli.ts";

const withToken = { adminToken: "let&me#in%/=" };
const encodedToken = "let%26me%23in%25%2F%3D";

test.runIf(process.platform !== "win32")(
  "portal --open opens the link in the machine's browser, or prints why not",
  async () => {
    const { ready, runLine } = await openCommandLine(withToken);
    const link = `${ready.url}/#token=${encodedToken}`;
    const line = `portal --open --token ${withToken.adminToken}`;
    const { PATH, opened } = fakeBrowser();
    expect(await runLine(line, { env: { PATH } })).toEqual({ code: 0, stdout: `${link}\n`, stderr: "" });
    expect(opened()).toEqual([link]);
    const failingBrowser = fakeBrowser(3);
    const failedResult = await runLine(line, { env: { PATH: failingBrowser.PATH } });
    expect(failedResult).toMatchObject({
      code: 1,
      stdout: `${link}\n`,
      stderr: expect.stringContaining("open ended with 3."),
    });
    const resultWithoutBrowser = await runLine(line, { env: { PATH: temporaryFolder() } });
    expect(resultWithoutBrowser).toMatchObject({ code: 1, stdout: `${link}\n` });
    expect(resultWithoutBrowser.stderr).toMatch(
      /^No browser was opened: this machine has no (xdg-)?open. Open the link yourself.\n$/,
    );
  },
);

/** Writes to a JSON log, and returns its lines. */
async function readLog(logLevel: "info" | "debug", write: (log: Log) => void): Promise<unknown[]> {
  const stream = new PassThrough({ encoding: "utf8" });
  write(openLog({ logFormat: "json", logLevel, quiet: false }, stream));
  await once(stream, "readable");
  return String(stream.read())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

test("a JSON log never has the portal's link", async () => {
  const lines = await readLog("debug", (log) => log.portal({ url: "http://localhost:4120", adminToken: "let-me-in" }));
  expect(lines).toMatchObject([{ event: "portal", url: "http://localhost:4120" }]);
  expect(JSON.stringify(lines)).not.toContain("let-me-in");
});

test("a log omits requests for the portal, and its reads of the admin API", async () => {
  const requests = [
    ["GET", "/"],
    ["GET", "/portal/….js"],
    ["GET", "/__admin/pulse"],
    ["GET", "/api/v1"],
    ["POST", "/__admin/reset"],
    ["GET", "/portals"],
  ];
  const write = (log: Log): void => {
    for (const [method, path] of requests) log.request?.({ method, path } as RequestEntry);
  };
  const output = async (level: "info" | "debug") =>
    ((await readLog(level, write)) as RequestEntry[]).map(({ path }) => path);
  expect(await output("info")).toEqual(["/api/v1", "/__admin/reset", "/portals"]);
  expect(await output("debug")).toHaveLength(requests.length);
});
