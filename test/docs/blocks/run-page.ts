import { readBlocks, type Block } from "./block.ts";
import type { Project } from "./project.ts";
import { ways, type Way } from "./ways.ts";

/** Tries the blocks of a page, in order, in one project. Rejects at the first block at odds with the page. */
export async function runPage(
  page: string,
  markdown: string,
  project: Project,
  kinds?: Readonly<Record<string, string>>,
): Promise<void> {
  const blocks = readBlocks(page, markdown, kinds).map((block) => ({ block, way: wayOf(page, block) }));
  for (const { block, way } of blocks) {
    const { line, settings, text } = block;
    try {
      await ("unrun" in settings ? way.check : way.run)?.({ ...block, text: project.withFreePorts(text) }, project);
    } catch (error) {
      throw new Error(`${page}:${line}: ${(error as Error).message}`, { cause: error });
    }
  }
}

function wayOf(page: string, { line, kind, settings }: Block): Way {
  const way = ways[kind];
  if (!way)
    throw new Error(`${page}:${line}: "${kind}" is not one of the kinds of blocks: ${Object.keys(ways).join(", ")}.`);
  const takes = ["unrun", ...(way.takes ?? [])].filter((name) => name !== "unrun" || way.check);
  for (const name of Object.keys(settings)) {
    if (!takes.includes(name)) throw new Error(`${page}:${line}: "${kind}" takes no "${name}".`);
  }
  return way;
}
