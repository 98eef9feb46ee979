import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { execute, packedProject, root } from "../support/packed.ts";
import { fromRegistry } from "../support/registry.ts";

let project = "";

beforeAll(async () => {
  project = await packedProject();
  return () => rm(project, { recursive: true, force: true });
});

const useOfTypes = `
import { startSandbox, type FaultRule, type InvestmentDocument, type SandboxOptions } from "offering-sandbox";
import { offeringSandbox } from "offering-sandbox/vite";

offeringSandbox({ fixture: "demo", key: ({ url, headers }) => url ?? headers["x-key"]?.toString() });
const fault: FaultRule = { match: { path: "/investments/*" }, respond: { status: 503 }, times: 1 };

export async function use(options: SandboxOptions, marketing: InvestmentDocument<"marketing">): Promise<string[]> {
  await using sandbox = await startSandbox(options);
  await sandbox.faults.add(fault);
  // @ts-expect-error
  await sandbox.faults.add({ respond: { status: "503" } });
  // @ts-expect-error
  await startSandbox({ fixtur: "demo" });
  return marketing.included.flatMap((resource) =>
    resource.type === "investors" ? [resource.attributes.tax_id satisfies "[[redacted]]"] : [],
  );
}
`;

const options = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  target: "ES2022",
  lib: ["ES2022"],
  types: [],
};

test.for([
  ["nodenext", "nodenext", ["use.mts", "use.cts"]],
  ["node16", "node16", ["use.mts", "use.cts"]],
  ["preserve", "bundler", ["use.mts"]],
] as const)(
  "the types compile without other packages: module %s, resolution %s",
  async ([module, moduleResolution, files]) => {
    for (const file of files) await writeFile(join(project, file), useOfTypes);
    const config = { compilerOptions: { ...options, module, moduleResolution }, files };
    await writeFile(join(project, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    const pendingCheck = execute(process.execPath, [compiler, "-p", project]).catch(
      ({ stdout }: { stdout: string }) => ({
        stdout,
      }),
    );
    expect((await pendingCheck).stdout).toBe("");
  },
);

const useInEs2021 = `
import { startSandbox, type FaultRule } from "offering-sandbox";
const fault: FaultRule = { match: { path: "/investments/*" }, respond: { status: 503 }, times: 1 };
export async function use(): Promise<void> {
  const sandbox = await startSandbox({ fixture: "minimal" });
  await sandbox.faults.add(fault);
  // @ts-expect-error
  await sandbox.faults.add({ respond: { status: "503" } });
}
`;

test.for([
  ["typescript@5.4", "node16", "node16"],
  ["typescript@5.4", "esnext", "node10"],
  ["typescript@7", "nodenext", "nodenext"],
] as const)("the types compile with %s and the library of ES2021: module %s, resolution %s", async (row, context) => {
  const [name, module, moduleResolution] = row;
  const compiler = join(await fromRegistry(context, project, [name]), "typescript", "bin", "tsc");
  await writeFile(join(project, "es2021.ts"), useInEs2021);
  const compilerOptions = { ...options, target: "ES2021", lib: ["ES2021", "DOM"], module, moduleResolution };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["es2021.ts"] }));
  const pendingCheck = execute(process.execPath, [compiler, "-p", project]).catch(({ stdout }: { stdout: string }) => ({
    stdout,
  }));
  expect((await pendingCheck).stdout).toBe("");
});
