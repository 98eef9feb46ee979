/** A fenced block of a page. */
export interface Block {
  /** The number of its first line in the page. */
  readonly line: number;
  /** How it is tried: its language and words of `ways`, as `sh server`. */
  readonly kind: string;
  /** The settings of its entry in `kinds`: `{ name: "vite" }`. */
  readonly settings: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The blocks of a page. If the language does not say how to try a block, `kinds` does, by the beginning of a line. */
export function readBlocks(page: string, markdown: string, kinds: Readonly<Record<string, string>> = {}): Block[] {
  const fenced = readFences(page, markdown);
  const infos = new Map<Fenced, string>();
  for (const [lineStart, info] of Object.entries(kinds)) {
    const block = fenced.find(({ lines }) => lines.some((line) => line.trimStart().startsWith(lineStart)));
    if (!block) throw new Error(`${page}: no block has a line that begins with ${lineStart}`);
    const [language] = info.split(" ");
    if (infos.has(block) || language !== block.language)
      throw new Error(`${page}:${block.line}: "${info}" is of another block.`);
    infos.set(block, info);
  }
  return fenced.map((block) => {
    const { line, lines, language } = block;
    return { line, ...readInfo(infos.get(block) ?? language), text: `${lines.join("\n")}\n` };
  });
}

interface Fenced {
  readonly line: number;
  readonly language: string;
  readonly lines: string[];
}

function readFences(page: string, markdown: string): Fenced[] {
  const blocks: Fenced[] = [];
  let open: (Fenced & { readonly fence: string }) | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    const [, fence = "", language = ""] = /^ *(`{3,})(.*)$/.exec(line) ?? [];
    if (!open) {
      if (!fence) continue;
      if (!/^[a-z]+$/.test(language))
        throw new Error(`${page}:${index + 1}: expected one language, not "${language}".`);
      open = { fence, language, line: index + 1, lines: [] };
    } else if (fence !== open.fence || language) {
      open.lines.push(line);
    } else {
      blocks.push(open);
      open = undefined;
    }
  }
  if (open) throw new Error(`${page}: the block of line ${open.line} is not closed.`);
  return blocks;
}

function readInfo(info: string): Pick<Block, "kind" | "settings"> {
  const settings: Record<string, string> = {};
  const words = info.replaceAll(/(\w+)=(?:"([^"]*)"|(\S+))/g, (_, name: string, quoted?: string, unquoted?: string) => {
    settings[name] = quoted ?? unquoted ?? "";
    return "";
  });
  return { kind: words.trim().split(/\s+/).join(" "), settings };
}
