import { spawn } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { execute, installedIn, packedProject } from "../support/packed.ts";

let project = "";

/** A project with only the packed package. */
beforeAll(async () => {
  project = await packedProject();
  return () => rm(project, { recursive: true, force: true });
});

const useOfPackage = `
  const sandbox = await startSandbox();
  const { baseUrl, keys, offerings } = sandbox;
  const response = await fetch(baseUrl + "/offerings/" + offerings[0].id, { headers: { authorization: "Bearer " + keys.partner } });
  console.log(response.status, (await response.json()).data.type);
  await sandbox.close();
`;

/** Runs the installed command line in the project; returns its output, or its errors if it fails. */
async function run(...args: string[]): Promise<string> {
  const bin = join(installedIn(project), "bin", "offering-sandbox.js");
  try {
    const { stdout } = await execute(process.execPath, [bin, ...args], { cwd: project });
    return stdout;
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
}

describe("the packed package", () => {
  test.each([
    ["module", `await import("offering-sandbox")`],
    ["commonjs", `require("offering-sandbox")`],
  ])("exports exactly the documented names, which work: %s", async (type, entry) => {
    const script = `const names = ${entry}; console.log(Object.keys(names).sort().join());
      const { startSandbox } = names; (async () => {${useOfPackage}})();`;
    const { stdout } = await execute(process.execPath, [`--input-type=${type}`, "-e", script], { cwd: project });
    expect(stdout).toBe(
      "ConnectionError,ControlError,DatabaseError,FileReadError,FileValidationError,FileWriteError,ListenError,ValidationError,connectSandbox,startSandbox\n200 offerings\n",
    );
  });

  test("runs as a command", async () => {
    const bin = join(installedIn(project), "bin", "offering-sandbox.js");
    const child = spawn(process.execPath, [bin, "--port", "0"], { cwd: project, stdio: ["ignore", "pipe", "inherit"] });
    let [output, page] = ["", ""];
    for await (const chunk of child.stdout) {
      output += String(chunk);
      const [, url] = /^offering-sandbox ready on (\S+)/.exec(output) ?? [];
      if (url === undefined || page !== "") continue;
      page = await (await fetch(url)).text();
      const files = Array.from(page.matchAll(/"(\/portal\/[^"]+)"/g), async ([, file = ""]) => fetch(url + file));
      expect((await Promise.all(files)).map(({ status }) => status)).toEqual([200, 200, 200]);
      child.kill();
    }
    expect(page).toContain("<title>offering-sandbox</title>");
    expect(output.split("\n")[0]).toContain("offering-sandbox ready on http://localhost:");
  });

  test("has no script that npm runs at an installation, or asks its user about", async () => {
    const manifest = await readFile(join(installedIn(project), "package.json"), "utf8");
    const { scripts } = JSON.parse(manifest) as { readonly scripts: object };
    for (const name of ["preinstall", "install", "postinstall", "prepare"]) expect(scripts).not.toHaveProperty(name);
  });

  test("has every file its commands need", async () => {
    await writeFile(join(project, "lost.json"), `{ "offerings": [{ "alias": "a" }, ] }`);
    await writeFile(join(project, "wrong.json"), `{ "offerings": [{ "nam": "Aurora" }] }`);
    await writeFile(join(project, "wrong.yaml"), "steps:\n  - evnt: PAYMENT APPROVED\n");
    expect(await run("--help")).toContain("offering-sandbox [start] [flags]");
    expect(await run("openapi")).toContain(`"openapi": "3.1`);
    expect(await run("openapi", "--admin")).toContain(`"/environments/{environment}/clock"`);
    expect(await run("fixture", "check", "lost.json")).toContain("lost.json:1:");
    expect(await run("fixture", "check", "wrong.json")).toContain("wrong.json:1:");
    await writeFile(join(project, "sparse.json"), `{ "offerings": [{ "investments": [{}] }] }`);
    expect(await run("fixture", "expand", "sparse.json")).toContain(`"first_name"`);
    expect(await run("scenario", "check", "wrong.yaml")).toContain("wrong.yaml:2:");
  });
});
