import type { Block } from "./block.ts";
import type { Project } from "./project.ts";

const compiler = `"$CHECKOUT/node_modules/typescript/bin/tsc"`;
/** The libraries' own types are skipped for speed; `test/package` compiles ours with nothing skipped. */
const flags = "--ignoreConfig --strict --skipLibCheck --module nodenext --target es2022 --types node --pretty false";

/** Compiles the block as strictly as a reader may; runs it unless a later block runs its file. */
export async function runTypeScript(block: Block, project: Project): Promise<void> {
  const { file } = block.settings;
  await compile(block, project, file ?? `block-${block.line}.mts`, file !== undefined);
  if (file === undefined) await project.expect(`node block-${block.line}.mjs`);
}

export async function checkTypes(block: Block, project: Project): Promise<void> {
  await compile(block, project, `block-${block.line}.mts`, true);
}

async function compile({ text, settings }: Block, project: Project, file: string, checkOnly: boolean): Promise<void> {
  const { lacks } = settings;
  await project.write(file, text);
  await project.write("lacking.d.ts", lacks === undefined ? "" : `declare module "${lacks}";\n`);
  await project.expect(`node ${compiler} ${flags} ${checkOnly ? "--noEmit" : ""} lacking.d.ts ${file}`);
}
