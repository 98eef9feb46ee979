import { type Document, visit, type YAMLParseError } from "yaml";

/** A mistake at a character of a text. */
export interface OffsetMistake {
  readonly offset: number;
  readonly message: string;
}

/** What is wrong with the form of a YAML document, and whether it still says what it means to say. */
export function formMistakes(document: Document): { mistakes: OffsetMistake[]; readable: boolean } {
  const { errors, warnings } = document;
  const mistakes = [...errors, ...warnings].map(toMistake);
  const readable = errors.every(({ code }) => code === "DUPLICATE_KEY");
  const aliases = readable ? aliasMistakes(document) : [];
  const first = errors.findLast(({ code }) => code === "RESOURCE_EXHAUSTION");
  return first
    ? { mistakes: [{ offset: first.pos[0], message: "This is nested too deeply." }], readable }
    : { mistakes: [...mistakes, ...aliases], readable: readable && aliases.length === 0 };
}

const words: { readonly [Code in YAMLParseError["code"]]?: string } = {
  BLOCK_AS_IMPLICIT_KEY: 'Expected one "name: value" on a line; text with a colon in it is put in "quotation marks".',
  DUPLICATE_KEY: "This member stands in its object twice; expected once.",
  MULTIPLE_DOCS: "Expected the end of the file: it holds one scenario.",
  NON_STRING_KEY: "Expected the name of a member, which is text.",
  TAB_AS_INDENT: "Expected spaces: YAML takes no tabs before a line.",
};

function toMistake({ code, message, pos }: Document["errors"][number] | Document["warnings"][number]): OffsetMistake {
  if (code === "TAG_RESOLVE_FAILED") return { offset: pos[0], message: "Expected a value without a tag." };
  return { offset: pos[0], message: words[code] ?? `This is not YAML: ${message.replace(/\.$/, "")}.` };
}

function aliasMistakes(document: Document): OffsetMistake[] {
  const mistakes: OffsetMistake[] = [];
  visit(document, {
    Alias(_, alias, path) {
      const anchored = alias.resolve(document);
      const offset = alias.range?.[0] ?? 0;
      if (!anchored) mistakes.push({ offset, message: `Nothing before this has the anchor &${alias.source}.` });
      else if (path.includes(anchored)) mistakes.push({ offset, message: "This stands for what it stands in." });
    },
  });
  return mistakes;
}
