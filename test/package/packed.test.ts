import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { install, pack, root } from "../support/packed.ts";

const execute = promisify(execFile);
let project = "";

/** A project that has the packed package and nothing else. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "offering-sandbox-packed-"));
  await install(await pack(project), project);
}, 60_000);

afterAll(() => rm(project, { recursive: true, force: true }));

const story = `
  const sandbox = await startSandbox();
  const { baseUrl, keys, offerings } = sandbox;
  const response = await fetch(baseUrl + "/offerings/" + offerings[0].id, { headers: { authorization: "Bearer " + keys.partner } });
  console.log(response.status, (await response.json()).data.type);
  await sandbox.close();
`;

describe("the packed package", () => {
  test("is imported", async () => {
    await writeFile(join(project, "use.mjs"), `import { startSandbox } from "offering-sandbox";\n${story}`);
    const { stdout } = await execute(process.execPath, ["use.mjs"], { cwd: project });
    expect(stdout).toBe("200 offerings\n");
  });

  test("is required", async () => {
    const script = `const { startSandbox } = require("offering-sandbox");\n(async () => {${story}})();`;
    await writeFile(join(project, "use.cjs"), script);
    const { stdout } = await execute(process.execPath, ["use.cjs"], { cwd: project });
    expect(stdout).toBe("200 offerings\n");
  });

  test("exports what it promises", async () => {
    const script = `console.log(Object.keys(await import("offering-sandbox")).sort().join());`;
    const { stdout } = await execute(process.execPath, ["--input-type=module", "-e", script], { cwd: project });
    expect(stdout).toBe(
      "CannotConnect,CannotListen,ControlError,FileMistakes,Mistake,UnreadableFile,UnusableDatabase,UnwritableFile,connectSandbox,startSandbox\n",
    );
  });

  test("has types that compile with nothing skipped", async () => {
    await writeFile(join(project, "use.mts"), `import * as all from "offering-sandbox";\nexport default all;\n`);
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    const flags = "--ignoreConfig --noEmit --strict --module nodenext --target es2022 --types node".split(" ");
    const types = ["--typeRoots", join(root, "node_modules", "@types")];
    const { stdout } = await execute(process.execPath, [compiler, ...flags, ...types, "use.mts"], {
      cwd: project,
    }).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });

  test("runs as a command", async () => {
    const bin = join(project, "node_modules", "offering-sandbox", "bin", "offering-sandbox.js");
    const child = spawn(process.execPath, [bin, "--port", "0"], { cwd: project, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    for await (const part of child.stdout) {
      output += String(part);
      if (output.includes("\n")) child.kill();
    }
    expect(JSON.parse(output.split("\n")[0] ?? "")).toMatchObject({ event: "ready", environment: { fixture: "demo" } });
  });
});
