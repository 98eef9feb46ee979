import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { SandboxOptions } from "../../src/index.ts";
import { version } from "../../src/package.ts";
import { openSandbox } from "../support/sandbox.ts";
import { reasonsOf } from "../support/reasons.ts";
import { exchange } from "./exchange.ts";

/*
 * Requests with their responses. In a file of `exchanges/` the first line has the options of a sandbox. A blank line
 * is before each request; `#` begins the sentence that says which error it would show, `>` the lines of the request,
 * and the rest is the response: its status, its headers except the date, and the beginning of its body. If a response
 * equals the one above in its status, headers and body, only its status is written. A request without a host is for
 * localhost; after a request that waits for a 100, the sandbox closes the connection. After a change of either, update
 * the file with `npx vitest run --project fast test/server/exchanges.test.ts --update`, and read the difference.
 */

const folder = fileURLToPath(new URL("exchanges", import.meta.url));

test.for(readdirSync(folder))("the requests of %s get the responses below them", async (name) => {
  const file = join(folder, name);
  const [options = "", ...requests] = readFileSync(file, "utf8").trimEnd().split("\n\n");
  const { sandbox } = await openSandbox({ rateLimit: 120, ...(JSON.parse(options) as SandboxOptions) });
  const exchanges: string[] = [];
  let responseAbove = "";
  for (const request of requests) {
    const reasons = reasonsOf(request);
    const lines = request.split("\n").filter((line) => line.startsWith(">"));
    const response = await sendLines(sandbox.url, lines);
    const shownResponse =
      response === responseAbove ? `${response.split("\n")[0]}, the same response as above` : response;
    exchanges.push([...reasons, ...lines, shownResponse].join("\n"));
    responseAbove = response;
  }
  await expect(`${[options, ...exchanges].join("\n\n")}\n`).toMatchFileSnapshot(file);
});

async function sendLines(url: string, lines: readonly string[]): Promise<string> {
  const [call = "", ...rest] = lines.map((line) => line.slice(2));
  const body = rest.find((line) => /^[[{]/.test(line)) ?? "";
  const headers = rest.filter((line) => line !== body);
  if (!/^host:/im.test(headers.join("\n"))) headers.unshift("Host: localhost");
  if (!headers.includes("Expect: 100-continue")) headers.push("Connection: close");
  const text = await exchange(url, [`${call} HTTP/1.1`, ...headers, "", body].join("\r\n"));
  const [head = "", content = ""] = text.trimEnd().split(/\r\n\r\n(.*)/s);
  const [status = "", ...fields] = removeVariation(head).split("\r\n");
  const sandboxFields = fields.filter((field) => !field.startsWith("Date: ")).toSorted();
  const beginning = removeVariation(content).replaceAll(/\s+/g, " ");
  return [status.split(" ")[1], ...sandboxFields, beginning.length > 160 ? `${beginning.slice(0, 159)}…` : beginning]
    .join("\n")
    .trimEnd();
}

/** Removes what differs from run to run, or from version to version. */
function removeVariation(text: string): string {
  return text
    .replaceAll(version, "VERSION")
    .replace(/(?<=^Content-Length: )\d{2,}$/m, "…")
    .replace(/(?<=^Sandbox-Assumptions: ).*$/m, "…")
    .replaceAll(/(?<=^Retry-After: |;t=|"uptime_seconds":)\d+/gm, "…");
}
