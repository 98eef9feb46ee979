import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { complete } from "../../src/fixture/complete/complete.ts";
import { printFixture } from "../../src/fixture/print-fixture.ts";
import { writeFixture } from "../support/write-fixture.ts";

/** Prints the package of each module that is loaded. */
const printLoads = `export async function load(url, context, next) {
  const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
  if (name) process._rawDebug("loads " + name);
  return next(url, context);
}`;
const hook = `import { register } from "node:module"; register("data:text/javascript,${encodeURIComponent(printLoads)}");`;

test.each([
  ["a shipped fixture", () => "demo"],
  ["a generated one", generatedFixture],
])("starting with %s loads no package that serving does not need", async (_what, named) => {
  const fixture = await named();
  const bin = fileURLToPath(new URL("../../bin/offering-sandbox.js", import.meta.url));
  const args = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, bin, "--port", "0", "-f", fixture];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let loads = "";
  child.stderr.on("data", (part: Buffer) => (loads += part.toString()));
  child.stdout.once("data", () => child.kill());
  await once(child, "close");
  const loaded = new Set(Array.from(loads.matchAll(/^loads (.*)$/gm), (match) => match[1]));
  expect(loaded).toContain("express");
  for (const name of ["zod", "@faker-js/faker", "yaml", "jsonc-parser", "yargs"]) expect(loaded).not.toContain(name);
});

function generatedFixture(): Promise<string> {
  const completed = complete({ offerings: [{ generate: { investments: 20 } }] }, { name: "mine" });
  return writeFixture([...printFixture(completed, "investment")].join(""));
}
