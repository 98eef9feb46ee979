import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chromiumFile, missingChromium } from "../../scripts/chromium.js";
import { readBlocks } from "../docs/blocks/block.ts";
import { freePort } from "../support/free-port.ts";
import { execute, packedProject, root } from "../support/packed.ts";
import { until } from "../support/until.ts";

const module = (format: string): string => `
  const ask = async (path) => (await fetch("/api/v1" + path)).json();
  const { data } = await ask("/offerings/" + import.meta.env.OFFERING_SANDBOX_OFFERING_ID + "/investments?size=1");
  const { included } = await ask("/investments/" + data[0].id);
  const incomes = included.flatMap(({ type, attributes }) => (type === "investors" ? [attributes.annual_income] : []));
  document.body.textContent = "Income: " + incomes.map(${format}).join();
`;

test("the test of redaction in docs/front-end.md fails for a page with NaN, and passes for a page that hides the value", async ({
  skip,
}) => {
  skip(chromiumFile === undefined, missingChromium);
  const page = await readFile(join(root, "docs", "front-end.md"), "utf8");
  const block = readBlocks("docs/front-end.md", page).find(({ text }) => text.includes("sandboxServerOptions"));
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const project = await packedProject(["vite", "@playwright/test"]);
  onTestFinished(() => rm(project, { recursive: true, force: true }));
  const files = {
    "package.json": `{ "type": "module" }`,
    "vite.config.js": `import { offeringSandbox } from "offering-sandbox/vite"; export default { plugins: [offeringSandbox()] };`,
    "index.html": `<body><script type="module" src="/main.js"></script></body>`,
    "playwright.config.js": `export default { timeout: 120_000, use: { launchOptions: ${JSON.stringify({
      executablePath: chromiumFile,
      args: ["--no-sandbox"],
    })} } };`,
    "redaction.spec.js": (block?.text ?? "").replace("4120", String(sandboxPort)).replace("5173", String(port)),
  };
  for (const [file, text] of Object.entries(files)) await writeFile(join(project, file), text);

  const inheritedVariables = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_ENV|OFFERING_SANDBOX_|CI$)/.test(name),
  );
  const env = { ...Object.fromEntries(inheritedVariables), OFFERING_SANDBOX_PORT: String(sandboxPort) };
  const bin = (name: string, file: string): string => join(project, "node_modules", name, file);
  const vite = spawn(process.execPath, [bin("vite", "bin/vite.js"), "--port", String(port)], {
    cwd: project,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const pendingClose = once(vite, "close");
  onTestFinished(async () => {
    vite.kill();
    await pendingClose;
  });
  let output = "";
  vite.stdout.on("data", (part: Buffer) => (output += part.toString()));
  await until(() => output.includes("Sandbox"));

  const run = async (format: string): Promise<string> => {
    await writeFile(join(project, "main.js"), module(format));
    const args = [bin("@playwright/test", "cli.js"), "test"];
    const result = await execute(process.execPath, args, { cwd: project, env }).catch(
      (error: { stdout: string }) => error,
    );
    return result.stdout;
  };
  expect(await run(`(income) => new Intl.NumberFormat("en").format(income)`)).toContain("Income: NaN");
  expect(await run(`(income) => (typeof income === "number" ? income.toLocaleString("en") : "hidden")`)).toContain(
    "1 passed",
  );
});
