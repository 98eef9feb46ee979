import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openSandbox } from "../support/sandbox.ts";

const execute = promisify(execFile);
const dist = new URL("../../dist/", import.meta.url).href;

/** Runs a module, and returns the scripts that it has loaded from dist/ and from packages that the server needs. */
async function loadedBy(act: string): Promise<string[]> {
  const script = `
    import { Session } from "node:inspector";
    const session = new Session();
    session.connect();
    const urls = [];
    session.on("Debugger.scriptParsed", ({ params }) => urls.push(params.url));
    session.post("Debugger.enable");
    try { ${act} } catch (error) { if (!/vitest/i.test(error.message)) throw error; }
    console.log("loaded " + JSON.stringify(urls));
    process.exit();`;
  const { stdout } = await execute(process.execPath, ["--input-type=module", "-e", script]);
  const urls = JSON.parse(/^loaded (.*)$/m.exec(stdout)?.[1] ?? "") as string[];
  expect(urls.some((url) => url.startsWith("node:"))).toBe(true);
  return urls.flatMap((url) => {
    if (url.startsWith(dist)) return [url.slice(dist.length)];
    return /node_modules.(express|express-rate-limit|lowdb|zod|yargs)\b/.exec(url)?.slice(1) ?? [];
  });
}

test.each(["vitest", "jest", "node-test", "playwright"])(
  "the import of the entry %s loads no server",
  async (entry) => {
    const loaded = await loadedBy(`await import("${dist}${entry}.js");`);
    expect(loaded.toSorted()).toEqual([`${entry}.js`, "rolldown-runtime.js", "runners.js"].toSorted());
    // Neither does require, which runs the same module.
    expect(readFileSync(new URL(`${dist}${entry}.cjs`), "utf8")).toContain(`require("./${entry}.js")`);
  },
);

test("a test file that connects to a running sandbox loads no server either; one that starts it does", async () => {
  const { sandbox } = await openSandbox();
  const open = (options: object) =>
    `const { openSandbox } = await import("${dist}node-test.js");
     const own = await openSandbox({ name: "x", after: () => {} }, { sandboxServerOptions: ${JSON.stringify(options)} });
     await own.sandbox.clock.get();`;
  const connecting = await loadedBy(open({ url: sandbox.url }));
  expect(connecting).toContain("client.js");
  expect(connecting.filter((name) => /sandbox|command-line|express|lowdb|zod|yargs/.test(name))).toEqual([]);
  expect(await loadedBy(open({ config: false }))).toEqual(expect.arrayContaining(["sandbox.js", "express"]));
});
