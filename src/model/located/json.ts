import { findNodeAtLocation, type JSONVisitor, type Node, parseTree, printParseErrorCode, visit } from "jsonc-parser";
import type { Finding } from "../finding.ts";
import { lostNumber, lostNumberAt } from "../json-text.ts";
import type { FileMistake } from "../mistakes.ts";
import { Lines } from "./lines.ts";
import type { LocatedText, Position } from "./located.ts";

/** The most findings to locate: each takes time in proportion to its siblings, and a message lists only a few. */
const maxLocated = 1000;

/** The longest text to parse into a tree, which takes about sixteen bytes for each character. */
const maxTreeCharacters = 30_000_000;

/** A JSON text, which finds the lines and columns of its mistakes. */
export class JsonText implements LocatedText {
  readonly #text: string;
  readonly #file: string;
  readonly value: unknown;

  /** `value` is the result of JSON.parse; undefined if it threw. */
  constructor(text: string, file: string, value?: unknown) {
    this.#text = text;
    this.#file = file;
    this.value = value;
  }

  get mistakes(): FileMistake[] {
    const mistakes = this.value === undefined ? syntaxMistakes(this.#text) : [];
    return mistakes.map(({ line, column, message }) => ({ file: this.#file, line, column, message }));
  }

  locate(findings: readonly Finding[]): FileMistake[] {
    if (findings.length === 0) return [];
    const root = treeOf(this.#text);
    const lines = new Lines(this.#text);
    return findings.map((finding, index) => {
      const { line, column } = lines.at(index < maxLocated ? offsetOf(root, finding) : 0);
      return {
        file: this.#file,
        line,
        column,
        get message() {
          return finding.message;
        },
      };
    });
  }
}

/** Parses a text; returns undefined if it is too long or too deep: its mistakes are then located at its beginning. */
function treeOf(text: string): Node | undefined {
  if (text.length > maxTreeCharacters) return undefined;
  try {
    return parseTree(text, [], { disallowComments: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** Returns the offset of the value or name that a finding points at; for a missing value, the offset of its parent. */
function offsetOf(root: Node | undefined, { path, at }: Pick<Finding, "path" | "at">): number {
  if (!root) return 0;
  const node = findNodeAtLocation(root, [...path]);
  if (!node) return offsetOf(root, { path: path.slice(0, -1), at: "value" });
  return (at === "name" ? (node.parent?.children?.[0] ?? node) : node).offset;
}

interface JsonMistake extends Position {
  /** The offset of the mistake's end. */
  readonly end: number;
  readonly message: string;
}

/** Finds every mistake of a malformed text. */
export function syntaxMistakes(text: string): JsonMistake[] {
  const first = { line: 1, column: 1, end: 0 };
  if (text.trim() === "") return [{ ...first, message: "The file is empty; expected at least {}." }];
  const mistakes: JsonMistake[] = [];
  const onError: JSONVisitor["onError"] = (code, offset, length, line, character) => {
    // One mistake may be reported several times at the same position: the first report counts.
    const last = mistakes.at(-1);
    if (last && last.line === line + 1 && last.column === character + 1) return;
    const message = syntaxMessages[printParseErrorCode(code)] ?? "This is not JSON.";
    mistakes.push({ line: line + 1, column: character + 1, end: offset + length, message });
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    // A text that is nested too deeply overflows the stack.
    if (!(error instanceof RangeError)) throw error;
  }
  if (mistakes.length > 0) return mistakes;
  const at = lostNumberAt(text);
  if (at !== -1) return [{ ...new Lines(text).at(at), end: at, message: `${lostNumber}.` }];
  return [{ ...first, message: "This is not JSON, or is nested too deeply." }];
}

const syntaxMessages: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This word is not JSON; expected true, false, null, a number or text in "quotation marks".',
  InvalidNumberFormat: "This is not a JSON number; expected digits, such as 12.5.",
  PropertyNameExpected: 'Expected the name of a member, in "quotation marks"; JSON takes no comma after the last one.',
  ValueExpected: "Expected a value here; JSON takes no comma after the last one.",
  ColonExpected: "Expected a colon between a member's name and its value.",
  CommaExpected: "Expected a comma before this.",
  CloseBraceExpected: "Expected } here: an object is not closed.",
  CloseBracketExpected: "Expected ] here: a list is not closed.",
  EndOfFileExpected: "Expected the end of the file after the first value.",
  InvalidCommentToken: "JSON has no comments; expected a value, a name or a comma.",
  UnexpectedEndOfComment: "JSON has no comments, and this one is not closed.",
  UnexpectedEndOfString: 'Expected " at the end of this text.',
  UnexpectedEndOfNumber: "Expected more digits at the end of this number.",
  InvalidUnicode: "Expected four hexadecimal digits after \\u.",
  InvalidEscapeCharacter: 'Expected one of " \\ / b f n r t u after the backslash.',
  InvalidCharacter: "Control characters are not allowed in text; write \\n for a line break, \\t for a tab.",
};
