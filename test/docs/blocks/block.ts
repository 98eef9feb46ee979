/** A fenced block of a page. Its info string says how it is tried: ```` ```sh server name=vite ````. */
export interface Block {
  /** The number of its first line in the page. */
  readonly line: number;
  /** The words of the info string, the language first: `sh server`. */
  readonly kind: string;
  /** The settings of the info string: `{ name: "vite" }`. */
  readonly settings: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The blocks of a page, those in HTML comments too: they make preparations hidden from readers. */
export function readBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { fence: string; info: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    const [, fence = "", info = ""] = /^ *(`{3,})(.*)$/.exec(line) ?? [];
    if (!open) {
      if (fence) open = { fence, info, line: index + 1, lines: [] };
    } else if (fence !== open.fence || info) {
      open.lines.push(line);
    } else {
      blocks.push({ line: open.line, ...readInfo(open.info), text: `${open.lines.join("\n")}\n` });
      open = undefined;
    }
  }
  if (open) throw new Error(`The block of line ${open.line} is not closed.`);
  return blocks;
}

function readInfo(info: string): Pick<Block, "kind" | "settings"> {
  const settings: Record<string, string> = {};
  const words = info.replaceAll(/(\w+)=(?:"([^"]*)"|(\S+))/g, (_, name: string, quoted?: string, plain?: string) => {
    settings[name] = quoted ?? plain ?? "";
    return "";
  });
  return { kind: words.trim().split(/\s+/).join(" "), settings };
}
