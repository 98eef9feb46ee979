import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { reasonsOf } from "../support/reasons.ts";
import { openAdmin } from "./admin.ts";

/*
 * Refused calls of the admin API, each with its response below it. A blank line is before each call; `#` begins the
 * sentence that says which error it would show, `>` the call, with its body as sent, and the lines of its headers;
 * the response is its status, code, allowed methods and message. After a change of either, update the file with
 * `npx vitest run --project fast test/admin/refusals.test.ts --update`, and read the difference.
 */

const file = fileURLToPath(new URL("refusals.txt", import.meta.url));

test("calls that are refused get the responses below them, and change nothing", async () => {
  const { admin, sandbox, failures } = await openAdmin();
  const snapshotBefore = await sandbox.snapshot();
  const exchanges: string[] = [];
  for (const exchange of readFileSync(file, "utf8").trimEnd().split("\n\n")) {
    const reasons = reasonsOf(exchange);
    const lines = exchange.split("\n").filter((line) => line.startsWith("> "));
    const [call = "", ...fields] = lines.map((line) => line.slice(2));
    const [, target = "", body] = /^(\S+ \S+)(?: (.*))?$/.exec(call) ?? [];
    const headers = Object.fromEntries(fields.map((field) => field.split(": "))) as Record<string, string>;
    const { status, headers: responseHeaders, json } = await admin(target, body, { headers });
    exchanges.push(
      [...reasons, ...lines, status, [json.code, responseHeaders["allow"] ?? "", json.detail].join("  ")].join("\n"),
    );
  }
  await expect(`${exchanges.join("\n\n")}\n`).toMatchFileSnapshot(file);
  expect(await sandbox.snapshot()).toEqual(snapshotBefore);
  expect(failures).toEqual([]);
});
