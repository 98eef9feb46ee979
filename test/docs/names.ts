import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "../support/packed.ts";

/** Something in backticks on a page. */
interface Name {
  readonly text: string;
  readonly line: number;
  /** Everything in backticks in its sentence or row of a table, and in its line: a paragraph, a bullet or a row. */
  readonly sentence: readonly string[];
  readonly paragraph: readonly string[];
}

/** Returns what a page has in backticks outside of fenced blocks. */
export function namesOn(markdown: string): Name[] {
  let isFenced = false;
  return markdown.split("\n").flatMap((content, index) => {
    const isFence = /^ *```/.test(content);
    if (isFence) isFenced = !isFenced;
    if (isFence || isFenced) return [];
    const paragraph: string[] = [];
    // What is in backticks may hold a full stop and a capital.
    const text = content.replaceAll(/`([^`]+)`/g, (_, name: string) => `\`${paragraph.push(name) - 1}\``);
    const sentences = text.startsWith("|") ? [text] : text.split(/(?<=[.?!:]) +(?=[[*(]*[A-Z`])/);
    return sentences.flatMap((sentenceText) => {
      const sentence = Array.from(sentenceText.matchAll(/`(\d+)`/g), ([, number]) => paragraph[Number(number)] ?? "");
      return sentence.map((name) => ({ text: name, line: index + 1, sentence, paragraph }));
    });
  });
}

/** Returns the parts of an identifier, two of `Environment.catchUp()`; undefined for a flag, a path or other text. */
export function identifiersIn(text: string): string[] | undefined {
  if (isFileName(text)) return undefined;
  const [, name] = /^#?([a-z_$][\w$]*(?:\.[a-z_$][\w$]*)*)(?:\([^)]*\))?$/i.exec(text) ?? [];
  return name?.split(".");
}

function isFileName(text: string): boolean {
  return /\.(?:[jt]sx?|json|yaml|ya?ml|md|txt)$/.test(text);
}

const folders = ["src", "calibrate", "portal", "bin", "scripts", "test", "bench", "examples", "schema", "fixtures"];

/** The sources, by path: `src/public/control.ts`. */
const sources: readonly string[] = [
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  ),
  ...readdirSync(root),
].flatMap((file) => (isFileName(file) && !file.includes("node_modules") ? file.replaceAll("\\", "/") : []));

/** Returns the sources that something in backticks names: a file, those in a folder, or those of a bare file name. */
export function filesNamed(text: string): readonly string[] {
  const path = text.replace(/\/$/, "");
  const matches = sources.filter((file) => file === path || (text.includes("/") && file.startsWith(`${path}/`)));
  if (matches.length > 0 || !isFileName(path)) return matches;
  return sources.filter((file) => file.startsWith("src/") && basename(file) === path);
}

const programs = /^(?:src|calibrate|portal|scripts)\//;

/** Returns all sources in the folders of files, and the public types; undefined without a file of the programs. */
export function roomsOf(files: readonly string[]): readonly string[] | undefined {
  if (!files.some((file) => programs.test(file))) return undefined;
  const rooms = new Set([...files.map(dirname), "src"]);
  return sources.filter((file) => rooms.has(dirname(file)) || file === "package.json");
}

export const allRooms = sources.filter((file) => programs.test(file) || file === "package.json");

/** Returns the programs that have a word. */
export function homesOf(word: string): readonly string[] {
  return sources.filter((file) => programs.test(file) && wordsIn(file).has(word));
}

const wordsByFile = new Map<string, ReadonlySet<string>>();

/** Returns the words in a file, without those of its comments. */
export function wordsIn(file: string): ReadonlySet<string> {
  const words =
    wordsByFile.get(file) ?? wordsOf(readFileSync(join(root, file), "utf8").replaceAll(/^\s*(?:\/[/*]|\*).*$/gm, ""));
  wordsByFile.set(file, words);
  return words;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\w$]+/g));
}

/** Returns the words of the fenced blocks of a page, which its diffs add to the sources. */
export function wordsOfBlocks(markdown: string): ReadonlySet<string> {
  return wordsOf(Array.from(markdown.matchAll(/^```\w*\n([^]*?)^```$/gm), ([, block = ""]) => block).join("\n"));
}
