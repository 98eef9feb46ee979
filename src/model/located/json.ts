import { type JSONVisitor, printParseErrorCode, visit } from "jsonc-parser";
import type { Finding } from "../finding.ts";
import type { FileMistake } from "../mistakes.ts";
import type { LocatedText, Position } from "./located.ts";

/** A JSON text of any size: its mistakes and their places are found in passes that hold no syntax tree. */
export class JsonText implements LocatedText {
  readonly #text: string;
  readonly #file: string;
  readonly value: unknown;

  /** `value` is the result of JSON.parse; undefined if that threw. */
  constructor(text: string, file: string, value?: unknown) {
    this.#text = text;
    this.#file = file;
    this.value = value;
  }

  get mistakes(): FileMistake[] {
    const mistakes = this.value === undefined ? syntaxMistakes(this.#text) : repeatedMembers(this.#text);
    return mistakes.map(({ line, column, message }) => ({ file: this.#file, line, column, message }));
  }

  locate(findings: readonly Finding[]): FileMistake[] {
    const top: Spot = { below: new Map() };
    const spots = findings.map(({ path }) => path.reduce(spotBelow, top));
    visitAll(this.#text, tracker(top));
    return findings.map((finding, index) => ({
      file: this.#file,
      ...positionOf(spots[index] ?? top, finding.at),
      get message() {
        return finding.message;
      },
    }));
  }
}

interface JsonMistake extends Position {
  /** The offset of its end. */
  readonly end: number;
  readonly message: string;
}

/** Finds every mistake of a malformed text. */
export function syntaxMistakes(text: string): JsonMistake[] {
  const first = { line: 1, column: 1, end: 0 };
  if (text.trim() === "") return [{ ...first, message: "The file is empty; expected at least {}." }];
  const mistakes: JsonMistake[] = [];
  visitAll(text, {
    onError(code, offset, length, line, character) {
      // One mistake may cause others at the same place.
      const last = mistakes.at(-1);
      if (last && last.line === line + 1 && last.column === character + 1) return;
      const message = syntaxMessages[printParseErrorCode(code)] ?? "This is not JSON.";
      mistakes.push({ line: line + 1, column: character + 1, end: offset + length, message });
    },
  });
  return mistakes.length > 0 ? mistakes : [{ ...first, message: "This is not JSON, or is nested too deeply." }];
}

/** Finds repeated members. */
function repeatedMembers(text: string): JsonMistake[] {
  const mistakes: JsonMistake[] = [];
  const open: Set<string>[] = [];
  visitAll(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(name, offset, length, line, character) {
      const names = open.at(-1);
      if (names?.has(name)) {
        const message = "This member appears twice in its object; expected once, because JSON keeps only the last.";
        mistakes.push({ line: line + 1, column: character + 1, end: offset + length, message });
      }
      names?.add(name);
    },
  });
  return mistakes;
}

/** Visits a text. If it is nested too deeply, the visit ends early. */
function visitAll(text: string, visitor: JSONVisitor): void {
  try {
    visit(text, visitor, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

/** A node on the path of a finding. */
interface Spot {
  readonly above?: Spot;
  readonly below: Map<string | number, Spot>;
  value?: Position;
  name?: Position;
}

function spotBelow(above: Spot, segment: string | number): Spot {
  const spot = above.below.get(segment) ?? { above, below: new Map() };
  above.below.set(segment, spot);
  return spot;
}

function positionOf({ above, value, name }: Spot, at: Finding["at"]): Position {
  return (at === "name" ? name : undefined) ?? value ?? (above ? positionOf(above, "value") : { line: 1, column: 1 });
}

/** Records the positions of spots during a visit. */
function tracker(top: Spot): JSONVisitor {
  const open: { spot: Spot; next: Spot | undefined; index: number | undefined }[] = [];
  const arrive = (line: number, character: number): Spot | undefined => {
    const around = open.at(-1);
    const spot = around ? (around.index === undefined ? around.next : around.spot.below.get(around.index++)) : top;
    if (spot) spot.value = { line: line + 1, column: character + 1 };
    return spot;
  };
  const begin = (isList: boolean) => (_offset: number, _length: number, line: number, character: number) => {
    const spot = arrive(line, character);
    open.push({ spot: spot ?? nowhere, next: undefined, index: isList ? 0 : undefined });
    return spot !== undefined && spot.below.size > 0;
  };
  return {
    onObjectBegin: begin(false),
    onArrayBegin: begin(true),
    onObjectEnd: () => void open.pop(),
    onArrayEnd: () => void open.pop(),
    onLiteralValue: (_value, _offset, _length, line, character) => void arrive(line, character),
    onObjectProperty: (name, _offset, _length, line, character) => {
      const around = open.at(-1);
      if (!around) return;
      around.next = around.spot.below.get(name);
      if (around.next) around.next.name = { line: line + 1, column: character + 1 };
    },
  };
}

const nowhere: Spot = { below: new Map() };

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
