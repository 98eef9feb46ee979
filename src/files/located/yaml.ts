import { Composer, type Document, isScalar, Lexer, type Node, Parser, YAMLParseError } from "yaml";
import { inputLimits } from "../../bounds/bounds.ts";
import {
  type Issue,
  type Path,
  type FileDiagnostic,
  FileValidationError,
  takeErrors,
  withoutStacks,
} from "../../validation/errors.ts";
import { isKeyMember, mayContainKey } from "../../secrets/secrets.ts";
import { Lines } from "./lines.ts";
import { YamlContent } from "./yaml-content.ts";

type OffsetDiagnostic = YamlContent["errors"][number];

/** Replaces the excerpt of a line. */
const hiddenLineNote = "    (not shown: the line may hold the text of a key)";

/** A YAML text, or a JSON text, which is YAML too. */
export class YamlText {
  readonly #file: string;
  readonly #lines: Lines;
  readonly #document: Document;
  readonly #content: YamlContent | undefined;
  readonly #searchedLines = new Map<
    number,
    { readonly namesKey: boolean; readonly hasPossibleKey: boolean | undefined }
  >();
  /** Syntax errors and repeated members. */
  readonly errors: readonly FileDiagnostic[];
  /** The value of the whole document; undefined if it cannot be parsed. */
  readonly value: unknown;

  /** Parses YAML; `content` names what is expected: `a scenario`. Throws FileValidationError above a limit. */
  constructor(text: string, file: string, content: string, maxLength: number) {
    const refuse = (problem: string): never => {
      throw new FileValidationError([{ file, line: 1, column: 1, message: `${problem}; expected ${content}.` }]);
    };
    if (text.length > maxLength) refuse(`This is longer than ${maxLength} characters`);
    const lexemes = lexemesOf(text);
    if (lexemes.length > inputLimits.yamlParts) refuse("This has too many values and marks");
    this.#file = file;
    this.#lines = new Lines(text);
    this.#document = withoutStacks(() => composeDocument(lexemes, text.length));
    this.#content = this.#document.errors.length === 0 ? new YamlContent(this.#document) : undefined;
    this.value = this.#content?.isReadable ? this.#content.value : undefined;
    const errors = [...takeErrors(formErrors(this.#document)), ...(this.#content?.errors ?? [])];
    this.errors = errors.map((error) => this.#place(error.offset, error));
  }

  /** Adds the file, line and column to each issue. */
  locate(issues: readonly Issue[]): FileDiagnostic[] {
    return issues.map((issue) => {
      const { path, at } = issue;
      return this.#place(this.#offset(path, at), issue, !path.some(isKeyMember));
    });
  }

  position(path: Path, at: Issue["at"] = "value"): Pick<FileDiagnostic, "line" | "column"> {
    return this.#lines.at(this.#offset(path, at));
  }

  /** Returns a scalar as written, with all its zeros. Empty without a value, undefined for a list or an object. */
  written(path: Path): string | undefined {
    let node: unknown = this.#document.contents;
    for (const segment of path) node = this.#content?.below(node, segment)?.value;
    const scalar = this.#content?.resolved(node) ?? null;
    if (scalar === null) return "";
    return isScalar(scalar) ? (scalar.source ?? String(scalar.value)) : undefined;
  }

  /** Creates a diagnostic, whose message and excerpt are formatted when they are read: few of very many errors are. */
  #place(offset: number, error: Pick<FileDiagnostic, "message">, isShown = true): FileDiagnostic {
    const { line, column, text } = this.#lines.at(offset);
    const isLineShown = (): boolean => this.#isLineShown(line, text, isShown);
    return {
      file: this.#file,
      line,
      column,
      get message() {
        return error.message;
      },
      get excerpt() {
        return isLineShown() ? excerpt(text, column) : hiddenLineNote;
      },
    };
  }

  /** Returns true if a message may show a line; a line with very many errors is searched for keys only once. */
  #isLineShown(line: number, text: string, isShown: boolean): boolean {
    let { namesKey, hasPossibleKey } = this.#searchedLines.get(line) ?? {};
    namesKey ??= /\b(?:keys?|key_id|revoke)\b/i.test(text);
    if (!isShown || namesKey) hasPossibleKey ??= mayContainKey(text);
    this.#searchedLines.set(line, { namesKey, hasPossibleKey });
    return (isShown && !namesKey) || hasPossibleKey !== true;
  }

  /** Returns the offset of a value, of the name before it, or of the nearest node around it. */
  #offset(path: Path, at: Issue["at"]): number {
    let node: unknown = this.#document.contents;
    let offset = offsetOfNode(node) ?? 0;
    for (const [index, segment] of path.entries()) {
      const below = this.#content?.below(node, segment);
      if (!below) return offset;
      const name = offsetOfNode(below.name);
      if (at === "name" && index === path.length - 1 && name !== undefined) return name;
      node = below.value;
      const isNull = isScalar(node) && node.value === null;
      offset = (isNull ? name : undefined) ?? offsetOfNode(node) ?? offset;
    }
    return offset;
  }
}

/** The number of characters shown of a long line. */
const excerptWidth = 100;

/** Returns a line of a file, or a part of it, with a caret under the column; undefined for an empty line. */
function excerpt(line: string, column: number): string | undefined {
  if (line.trim() === "") return undefined;
  const from = column > excerptWidth ? column - Math.floor(excerptWidth / 2) : 0;
  const visible = line.slice(from, from + excerptWidth).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
  return `    ${visible.trimEnd()}\n    ${" ".repeat(column - 1 - from)}^`;
}

function offsetOfNode(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

/** Finds the lexemes of a YAML text, up to one too many: parsing them would block the server for long. */
function lexemesOf(text: string): string[] {
  const lexemes: string[] = [];
  for (const lexeme of new Lexer().lex(text)) if (lexemes.push(lexeme) > inputLimits.yamlParts) break;
  return lexemes;
}

/** Composes the document as `parseDocument` of the library does, which would find the lexemes once more. */
function composeDocument(lexemes: readonly string[], length: number): Document.Parsed {
  const parser = new Parser();
  function* tokens() {
    for (const lexeme of lexemes) yield* parser.next(lexeme);
    yield* parser.end();
  }
  const composer = new Composer({ schema: "core", resolveKnownTags: false, stringKeys: true, uniqueKeys: false });
  const [document, further] = composer.compose(tokens(), true, length);
  if (!document) throw new Error("A YAML text has at least an empty document.");
  if (further) document.errors.push(new YAMLParseError([further.range[0], further.range[1]], "MULTIPLE_DOCS", ""));
  return document;
}

function* formErrors({ errors, warnings }: Document): Generator<OffsetDiagnostic> {
  const deepest = errors.findLast(({ code }) => code === "RESOURCE_EXHAUSTION");
  if (deepest) return yield { offset: deepest.pos[0], message: "This is nested too deeply." };
  // All other errors follow from these.
  const tabs = errors.filter(({ code }) => code === "TAB_AS_INDENT");
  const shifted = errors.find(({ code }) => code === "MULTILINE_IMPLICIT_KEY");
  if (tabs.length === 0 && shifted && errors.some(({ code }) => code === "BLOCK_AS_IMPLICIT_KEY")) {
    const message = indentation.replace(/\.$/, ', or text with a colon in it to be in "quotation marks".');
    // The error ends on the line that is indented too far.
    return yield { offset: shifted.pos[1] - 1, message };
  }
  for (const error of tabs.length > 0 ? tabs : [...errors, ...warnings]) yield toDiagnostic(error);
}

const indentation =
  "The indentation does not fit; expected this to begin in the same column as the members or items next to it.";

const yamlMessages: { readonly [Code in YAMLParseError["code"]]?: string } = {
  BLOCK_AS_IMPLICIT_KEY: 'Expected one "name: value" on a line; text with a colon in it is put in "quotation marks".',
  BAD_INDENT: indentation,
  MULTILINE_IMPLICIT_KEY: 'Expected "name: value" on each line.',
  MULTIPLE_DOCS: "Expected the end of the file: it holds one document.",
  NON_STRING_KEY: "Expected the name of a member, which is a string.",
  TAB_AS_INDENT: "Expected spaces: YAML takes no tabs before a line.",
  TAG_RESOLVE_FAILED: "Expected a value without a tag.",
};

/** Replacements for messages of the parser whose codes are too general. */
const parserMessages: readonly (readonly [message: RegExp, words: string])[] = [
  [/^Flow .*end with a (.)$/, "Expected a $1 before this: a bracket is still open."],
  [/^Unexpected flow-\w+-end token.*"(.)"$/, "Expected no $1 here: no such bracket is open."],
  [/^Sequence item without - indicator$/, indentation],
  [/^Missing closing (.)quote$/, "Expected a closing $1 before this."],
];

function toDiagnostic({
  code,
  message,
  pos,
}: Document["errors"][number] | Document["warnings"][number]): OffsetDiagnostic {
  const [pattern, replacement = ""] = parserMessages.find(([candidate]) => candidate.test(message)) ?? [];
  const ownMessage = pattern ? message.replace(pattern, replacement) : yamlMessages[code];
  return { offset: pos[0], message: ownMessage ?? `This is not YAML: ${message.replace(/\.$/, "")}.` };
}
