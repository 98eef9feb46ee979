import type { Block } from "./block.ts";
import type { Project } from "./project.ts";

/** Rejects unless the block before printed these lines, one after the other. */
export function expectPrinted({ text }: Block, { printed }: Project): void {
  const lines = text.trim().split("\n");
  const pattern = lines.map((line) => (line.trim() === "…" ? "(?:.*\\n)*?" : `${linePattern(line)}\\n`)).join("");
  if (!new RegExp(`^${pattern}`, "m").test(`${printed}\n`))
    throw new Error(`What was printed is another thing:\n${printed}`);
}

function linePattern(line: string): string {
  const words = line
    .trim()
    .split(/\s+/)
    .map((word) => word.split("…").map(literal).join(".*"));
  return `[ \\t]*${words.join("[ \\t]+")}[ \\t]*`;
}

function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
