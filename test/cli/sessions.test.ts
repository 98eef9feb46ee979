import { appendFileSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { SandboxOptions } from "../../src/index.ts";
import { version } from "../../src/package.ts";
import { reasonsOf } from "../support/reasons.ts";
import { knownFixture, send, startForTest } from "../support/sandbox.ts";
import { run, temporaryFolder } from "./cli.ts";

/*
 * Commands with what they print. A file of `sessions/` begins with sentences, after `#`, which say what it would show,
 * and the options of a sandbox. `$` begins a command, with its exit code if it fails, and its variables before it; `>`
 * begins a line for a file, and `GET` a request with the known partner key. The rest is output: `!` begins the lines of
 * stderr, and JSON is on one line, cut if it is long. After a change, run
 * `npx vitest run --project fast test/cli/sessions.test.ts --update`, and read the difference.
 */

const folder = fileURLToPath(new URL("sessions", import.meta.url));
const shownUrl = "http://localhost:4120";

test.for(readdirSync(folder))("each command of %s prints the lines below it", async (name) => {
  const file = join(folder, name);
  const session = readFileSync(file, "utf8");
  const reasons = reasonsOf(session);
  const [options = "", ...lines] = session.split("\n").slice(reasons.length);
  const fixture = options.includes('"fixture"') ? {} : { fixture: knownFixture };
  const sandbox = await startForTest({ rateLimit: 0, ...fixture, ...(JSON.parse(options) as SandboxOptions) });
  const cwd = temporaryFolder();

  /** Removes everything that differs from run to run. */
  const steady = (text: string): string =>
    text
      .replaceAll(sandbox.url, shownUrl)
      .replaceAll(realpathSync(cwd), "/home/ada")
      .replaceAll(version, "VERSION")
      .replaceAll(/ +\d+\.\d ms/g, " … ms")
      .replaceAll(/^\d\d:\d\d:\d\d\.\d{3}Z/gm, "…Z")
      .replaceAll(/"(uid|recorded_at|elapsed_ms|duration_ms|resets_in_seconds)":[^,}]+/g, '"$1":…')
      .replaceAll(/(?<=\d of \d+ +)\d+ s$/gm, "… s")
      .replaceAll(/^\S+Z(?=, (?:real|60 times))/gm, "…Z")
      .replaceAll(/\(in \S+, since [^)]+\)/g, "(in …, since …)");

  const printedBy = async (line: string): Promise<string> => {
    const words = line.replaceAll(shownUrl, sandbox.url).split(" ");
    const count = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
    const variables = words.slice(0, count).map((word) => word.split(/=(.*)/));
    const env = { OFFERING_SANDBOX_URL: sandbox.url, ...(Object.fromEntries(variables) as Record<string, string>) };
    const { code, stdout, stderr } = await run(words.slice(count), { cwd, env });
    const output = /^[[{]/.test(stdout)
      ? shorten(steady(JSON.stringify(JSON.parse(stdout))))
      : steady(stdout.trimEnd());
    const errors = steady(stderr.trimEnd()).replaceAll(/^(?=.)/gm, "! ");
    return [`$${code || ""} ${line}`, output, errors].filter((text) => text !== "").join("\n");
  };

  const output = [...reasons, options];
  for (const line of lines) {
    const [, command] = /^\$\d? (.*)$/.exec(line) ?? [];
    const [, path] = /^GET (\S+)/.exec(line) ?? [];
    const [, fileName, text] = /^> ([\w.-]+)\| (.*)$/.exec(line) ?? [];
    if (command !== undefined) output.push(await printedBy(command));
    if (path !== undefined) {
      const response = await send(sandbox.url, `/api/v1${path}`, {}).catch(() => ({ status: "breaks off" }));
      output.push(`GET ${path} ${response.status}`);
    }
    if (fileName === undefined) continue;
    appendFileSync(join(cwd, fileName), `${text}\n`);
    output.push(line);
  }
  await expect(`${output.join("\n")}\n`).toMatchFileSnapshot(file);
});

function shorten(json: string): string {
  return json.length > 400 ? `${json.slice(0, 399)}…` : json;
}
