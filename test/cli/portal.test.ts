import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { type Log, openLog } from "../../src/cli/output/log.ts";
import type { RequestEntry } from "../../src/index.ts";
import { fakeBrowser, openToAsk, temporaryFolder } from "./cli.ts";

const withToken = { adminToken: "let&me#in%/=" };
const carried = "let%26me%23in%25%2F%3D";

test.runIf(process.platform !== "win32")("opens the link in the machine's browser, or prints why not", async () => {
  const { ready, ask } = await openToAsk(withToken);
  const link = `${ready.url}/#token=${carried}`;
  const line = `portal --open --token ${withToken.adminToken}`;
  const { PATH, opened } = fakeBrowser();
  expect(await ask(line, { env: { PATH } })).toEqual({ code: 0, stdout: `${link}\n`, stderr: "" });
  expect(opened()).toEqual([link]);
  const failing = fakeBrowser(3);
  const failed = await ask(line, { env: { PATH: failing.PATH } });
  expect(failed).toMatchObject({ code: 1, stdout: `${link}\n`, stderr: expect.stringContaining("open ended with 3.") });
  const missing = await ask(line, { env: { PATH: temporaryFolder() } });
  expect(missing).toMatchObject({ code: 1, stdout: `${link}\n` });
  expect(missing.stderr).toMatch(/^No browser was opened: this machine has no (xdg-)?open. Open the link yourself.\n$/);
});

/** Writes to a JSON log, and returns its lines. */
async function logged(logLevel: "info" | "debug", write: (log: Log) => void): Promise<unknown[]> {
  const out = new PassThrough({ encoding: "utf8" });
  write(openLog({ logFormat: "json", logLevel, quiet: false }, out));
  await once(out, "readable");
  return String(out.read())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

test("a JSON log never has the portal's link", async () => {
  const lines = await logged("debug", (log) => log.portal({ url: "http://localhost:4120", adminToken: "let-me-in" }));
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
    ((await logged(level, write)) as RequestEntry[]).map(({ path }) => path);
  expect(await output("info")).toEqual(["/api/v1", "/__admin/reset", "/portals"]);
  expect(await output("debug")).toHaveLength(requests.length);
});
