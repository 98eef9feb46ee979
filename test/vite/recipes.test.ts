import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect, onTestFinished, test, type TestContext } from "vitest";
import { readBlocks } from "../docs/blocks/block.ts";
import { freePort } from "../support/free-port.ts";
import { execute, packedProject, root } from "../support/packed.ts";
import { fromRegistry } from "../support/registry.ts";
import { startForTest } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { servePage, type ServedPage } from "./vite.ts";

const page = await readFile(join(root, "docs", "recipes.md"), "utf8");
let project = "";

beforeAll(async () => {
  project = await packedProject();
  return () => rm(project, { recursive: true, force: true });
});

/** The first block of a section with these words; addresses of the page are below `origin`. */
function recipe(section: string, words: string, origin = ""): string {
  const text = page.split("\n## ").find((sectionText) => sectionText.startsWith(section)) ?? "";
  const block = readBlocks("docs/recipes.md", `## ${text}`).find((candidate) => candidate.text.includes(words));
  if (!block) throw new Error(`docs/recipes.md: no block of "${section}" has "${words}".`);
  return block.text.replaceAll(/(?<=["`])\/api\/v1/g, `${origin}/api/v1`);
}

/** Installs packages, and returns a folder next to them with these files. */
async function folderWith(context: TestContext, packages: readonly string[], files: Record<string, string>) {
  const folder = join(await fromRegistry(context, project, packages), "..", "app");
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return folder;
}

/** Compiles `use.ts` of a folder strictly, with all that it imports, and runs it. Returns its output. */
async function runUse(folder: string): Promise<string> {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const flags =
    "--strict --erasableSyntaxOnly --skipLibCheck --module nodenext --target es2022 --lib es2022,dom --types node use.ts";
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const compilation = await execute(process.execPath, [compiler, "--ignoreConfig", ...flags.split(" ")], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  expect(compilation.stdout).toBe("");
  const { stdout } = await execute(process.execPath, ["use.js"], { cwd: folder });
  return stdout;
}

/** Reads an offering twice, after refusals and as something that is not there. */
const useOfClient = (read: string, { sandbox }: ServedPage): string => `
  import type { OfferingDocument } from "offering-sandbox";
  import { ${read.includes("queryClient") ? "queryClient, " : ""}read } from "./client.js";
  const ask = <Document>(path: string): Promise<Document> => ${read};
  console.log((await ask<OfferingDocument>("/offerings/${sandbox.offering.id}")).data.attributes.name);
  await ask("/investments/00000000-0000-4000-8000-000000000000").catch(({ message }: Error) => console.log(message));
`;

test.for([
  [
    "TanStack Query",
    ["@tanstack/react-query", "react"],
    "queryClient.fetchQuery({ queryKey: [path], queryFn: () => read<Document>(path) })",
  ],
  ["axios", ["axios"], "read<Document>(path)"],
  ["ky", ["ky"], "read<Document>(path)"],
] as const)(
  "%s waits as long as Retry-After says, and repeats nothing else",
  async ([name, packages, read], context) => {
    const served = await servePage();
    const origin = served.url.slice(0, -1);
    const files = { "client.ts": recipe(name, "import", origin), "use.ts": useOfClient(read, served) };
    const folder = await folderWith(context, [...packages, "@types/node@20"], files);
    const headers = { "Retry-After": "1" };
    await served.sandbox.faults.add({ respond: { status: 429, headers }, times: 1 });
    await served.sandbox.faults.add({ respond: { status: 503, headers }, times: 1 });
    const lines = (await runUse(folder)).split("\n");
    expect(lines[0]).toBe("Aurora Robotics");
    expect(lines[1]).toContain("404");
    const { data } = await served.sandbox.requests.list();
    expect(data.map(({ status }) => status)).toEqual([429, 503, 200, 404]);
    const { risks, behaviors } = await served.sandbox.coverage();
    expect(risks).toEqual([]);
    expect(behaviors.find(({ id }) => id === "reactions.waited")?.count).toBe(1);
  },
);

test("MSW responds what it mocks, and lets the rest pass to the sandbox", async (context) => {
  const served = await servePage();
  const url = `${served.url}api/v1`;
  const folder = await folderWith(context, ["msw", "@types/node@20"], {
    "handlers.ts": recipe("Storybook", "import"),
    "use.ts": `
      import { setupServer } from "msw/node";
      import { handlers } from "./handlers.js";
      const server = setupServer(...handlers);
      server.listen({ onUnhandledRequest: "error" });
      console.log((await fetch("${url}/offerings/${served.sandbox.offering.id}")).status);
      await fetch("${url}/investments/1/events").catch(({ message }: Error) => console.log(message));
      server.close();`,
  });
  expect(await runUse(folder)).toBe("200\nFailed to fetch\n");
  expect(await served.sandbox.requests.count()).toBe(1);
});

test("Next.js adds the key by its route, and passes that of a page by its rewrite", async (context) => {
  const sandbox = await startForTest({ config: false });
  const port = await freePort();
  const folder = await folderWith(
    context,
    ["next", "react", "react-dom", "typescript@5", "@types/node@20", "@types/react"],
    {
      "app/api/v1/[...path]/route.ts": recipe("Next.js", "GET"),
      // The rewrite gets another address than in the page, where the route has the same one.
      "next.config.mjs": recipe("Next.js", "rewrites").replace("/api/v1", "/own"),
      "app/layout.tsx": "export default function Layout() { return <html><body /></html>; }",
      "package.json": "{}",
    },
  );
  const { VITEST: _, ...env } = process.env;
  const child = spawn(
    process.execPath,
    [join(folder, "..", "node_modules", "next", "dist", "bin", "next"), "dev", "--port", String(port)],
    {
      cwd: folder,
      env: {
        ...env,
        NODE_ENV: "development",
        NEXT_TELEMETRY_DISABLED: "1",
        OFFERING_SANDBOX_URL: sandbox.url,
        OFFERING_SANDBOX_PARTNER_KEY: sandbox.keys.partner,
      },
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    },
  );
  const pendingClose = once(child, "close");
  onTestFinished(async () => {
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await pendingClose;
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  await until(() => output.includes("Ready in"));
  const path = `/offerings/${sandbox.offering.id}?x=1`;
  expect((await fetch(`http://localhost:${port}/api/v1${path}`)).status).toBe(200);
  const headers = { authorization: `Bearer ${sandbox.keys.marketing}` };
  expect((await fetch(`http://localhost:${port}/own${path}`, { headers })).status).toBe(200);
  const { data } = await sandbox.requests.list();
  expect(data.map((entry) => [entry.key_type, entry.path])).toEqual([
    ["partner", `/api/v1${path}`],
    ["marketing", `/api/v1${path}`],
  ]);
});
