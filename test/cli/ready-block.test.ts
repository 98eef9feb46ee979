import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { formatReady, type Started } from "../../src/cli/output/log.ts";
import { keyEffects } from "../../src/cli/serve/keyboard.ts";
import type { SandboxOptions } from "../../src/public/control.ts";
import { startSandbox } from "../../src/index.ts";
import { widthOf } from "../../src/cli/output/text.ts";

async function startWithOptions(options: SandboxOptions = {}) {
  const sandbox = await startSandbox({ scenarios: [], ...options });
  const { admin = true, adminToken } = options;
  const settings: Started["settings"] = { admin, adminToken, quiet: false };
  const environment = await sandbox.describe();
  const started = { sandbox, environment, examples: await sandbox.examples(), settings, terminalKeys: keyEffects };
  return { started, [Symbol.asyncDispose]: () => sandbox.close() };
}

const longName = "A name that never ends ".repeat(9);
const offerings = Array.from({ length: 12 }, (_, index) => ({ name: `${longName}${index}`, investments: [{}] }));

const dates = { create_date: "2019-01-01T00:00:00.000Z", revoke_date: "2020-01-01T00:00:00.000Z" };
const revokedKey = { type: "partner", offering: "a", ...dates } as const;

test.for<[title: string, options: SandboxOptions]>([
  ["the demo", { scenarios: ["live-demo", "key-revoked-midway", "busy-day", "joint-investors-with-countersigner"] }],
  ["the demo under the minimal profile", { profile: "minimal", speed: 1234.5 }],
  ["no offering", { fixture: "empty" }],
  ["no investment", { fixture: { offerings: [{}] } }],
  ["many offerings with long names", { fixture: { name: longName, offerings } }],
  ["wide characters", { fixture: { offerings: [{ name: "漢字".repeat(60), investments: [{}] }] } }],
  ["a key that is revoked", { fixture: { offerings: [{ alias: "a" }], keys: [revokedKey] } }],
  ["a token", { host: "0.0.0.0" }],
  ["no admin API", { admin: false, fixture: "minimal" }],
])("the ready block fits 80 × 24: %s", async ([, options]) => {
  await using running = await startWithOptions(options);
  const { started: startOutput } = running;
  const lines = formatReady(startOutput, 80).split("\n");
  expect(lines.filter((line) => widthOf(line) > 80)).toEqual([]);
  // An empty line, the ready line and the cursor follow below it.
  expect(lines.length).toBeLessThanOrEqual(21);
  const block = lines.join("\n");
  expect(block).toContain(startOutput.sandbox.baseUrl);
  const { admin } = startOutput.settings;
  expect(block.includes("keys list")).toBe(admin);
  if (!admin) for (const { key } of startOutput.environment.keys) expect(block).toContain(key);
  expect(/Portal +http:\/\/localhost:\d+\/(?:#token=[\w-]+)?$/m.test(block)).toBe(admin);
  expect(block).toContain(startOutput.sandbox.adminToken ?? "");
  expect(block.includes(`export OFFERING_SANDBOX_ADMIN_TOKEN=`)).toBe(startOutput.sandbox.adminToken !== null && admin);
  expect(block).toMatch(/Guides +https:/);
});

test.runIf(existsSync("/bin/bash") && existsSync("/usr/bin/curl"))(
  "the printed command lines work in bash at any terminal width",
  async () => {
    await using running = await startWithOptions();
    for (const width of [40, 80, 120]) {
      const lines = formatReady(running.started, width).split("\n");
      const pastedLines = lines.slice(lines.findIndex((line) => line.startsWith("export")));
      const script = pastedLines.slice(0, pastedLines.indexOf("")).join("\n");
      const { stdout } = await promisify(execFile)("bash", ["-euc", script]);
      expect(stdout.match(/^HTTP\/1.1 200 OK\r$/gm)).toHaveLength(2);
      expect(stdout).toContain("[[redacted]]");
      expect(stdout.endsWith("}\n")).toBe(true);
      if (width === 120) expect(script).not.toContain("\\\n");
    }
  },
);
