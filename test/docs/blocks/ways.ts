import { existsSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { copyCheckout, linkModules } from "../../support/packed.ts";
import type { Block } from "./block.ts";
import { checkConfig, checkFixture, checkScenario } from "./checked-files.ts";
import { expectPrinted } from "./printed.ts";
import type { Project } from "./project.ts";
import { checkTypes, runTypeScript } from "./typescript.ts";

type Try = (block: Block, project: Project, cwd?: string) => Promise<void> | void;

/** The handling of a kind of block. */
export interface Way {
  readonly run: Try;
  /** The check of a block with a reason against running it: `unrun="needs a Docker engine"`. */
  readonly check?: Try;
  /** Names of further settings. */
  readonly takes?: readonly string[];
}

/**
 * The kinds of blocks. A block has the kind of its language, unless `kinds` names another. With `file=…` it is written
 * into the project, for later ones to use.
 */
export const ways: Readonly<Record<string, Way | undefined>> = {
  /** Run by bash, unless it has a file; `exit=2` expects that code. */
  sh: { run: runShell, check: checkShell, takes: ["exit", "file"] },
  /** Started, awaited until its ready line, and stopped at the end of the page or by the next of its name. */
  "sh server": { run: serve, takes: ["name"] },
  /** Started in a copy of this checkout, next to the project. */
  "sh checkout": { run: inCheckout(runShell), check: checkShell },
  "sh checkout server": { run: inCheckout(serve) },
  /** Applied to another copy of this checkout, which has what is installed here. */
  diff: { run: applyDiff },
  /** Run in that copy. */
  "sh changed": { run: runChanged, takes: ["exit"] },
  /** Checked for types, and run unless it has a file; `lacks=…` is a package whose types are not at hand. */
  ts: { run: runTypeScript, check: checkTypes, takes: ["file", "lacks"] },
  /** Run by this Node, unless it has a file, for a later block to run. */
  js: { run: runJavaScript, takes: ["file"] },
  json: { run: parseWith(JSON.parse), takes: ["file"] },
  yaml: { run: parseWith(parse), takes: ["file"] },
  /** Checked by schema and by command. */
  "json fixture": { run: checkFixture, takes: ["file"] },
  "yaml scenario": { run: checkScenario, takes: ["file"] },
  "yaml config": { run: checkConfig, takes: ["file"] },
  /** The output of the block before. `…` matches any text; alone on a line, any number of lines. */
  text: { run: expectPrinted },
  /** Not run here: `test/vite/recipes.test.ts` runs it with packages of the registry. */
  "ts recipe": { run: () => {} },
  "js recipe": { run: () => {} },
  /** Not run here: `test/examples/haproxy.test.ts` runs it with PostgreSQL. */
  sql: { run: () => {} },
  /** Diagrams and the like. */
  "text shown": { run: () => {} },
};

async function runShell(block: Block, project: Project, cwd?: string): Promise<void> {
  const { file, exit = "0" } = block.settings;
  if (file === undefined) await project.expect(block.text, cwd, Number(exit));
  else await write(block, project);
}

async function runJavaScript(block: Block, project: Project): Promise<void> {
  const file = block.settings["file"] ?? `block-${block.line}.mjs`;
  await project.write(file, block.text);
  if (block.settings["file"] === undefined) await project.expect(`node ${file}`);
}

async function serve({ text, settings }: Block, project: Project, cwd?: string): Promise<void> {
  await project.serve(settings["name"] ?? "sandbox", text, cwd);
}

function inCheckout(run: Try): Try {
  return async (block, project) => {
    const cwd = join(project.folder, "..", "offering-sandbox");
    await copyCheckout(cwd);
    await run(block, project, cwd);
  };
}

async function applyDiff({ line, text }: Block, project: Project): Promise<void> {
  const cwd = changedCheckoutOf(project);
  if (!existsSync(cwd)) {
    await copyCheckout(cwd);
    await linkModules(cwd);
  }
  const file = `block-${line}.diff`;
  await project.write(file, text);
  await project.expect(`git apply ${join(project.folder, file)}`, cwd);
}

async function runChanged({ text, settings: { exit = "0" } }: Block, project: Project): Promise<void> {
  await project.expect(text, changedCheckoutOf(project), Number(exit));
}

function changedCheckoutOf({ folder }: Project): string {
  return join(folder, "changed");
}

/** Whether bash can read it. */
async function checkShell({ text }: Block, project: Project): Promise<void> {
  await project.write("unrun.sh", text);
  await project.expect("bash -n unrun.sh");
}

async function write({ text, settings }: Block, project: Project): Promise<void> {
  const { file } = settings;
  if (file === undefined) throw new Error("It needs a file.");
  await project.write(file, text);
}

function parseWith(parser: (text: string) => unknown): Try {
  return async (block, project) => {
    parser(block.text);
    if (block.settings["file"] !== undefined) await write(block, project);
  };
}
