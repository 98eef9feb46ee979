import { type JSONVisitor, type Node, parseTree, printParseErrorCode, visit } from "jsonc-parser";
import { inexactNumberMessage, findInexactNumber } from "../../text/json-text.ts";
import type { FileDiagnostic, Issue } from "../../validation/errors.ts";
import { Lines } from "./lines.ts";

/** The longest text to parse into a tree, which takes about sixteen bytes for each character. */
const maxTreeCharacters = 30_000_000;

/** Adds the file, line and column to issues in a JSON text. Each message is only written when it is read. */
export function locateInJson(text: string, file: string, issues: readonly Issue[]): FileDiagnostic[] {
  if (issues.length === 0) return [];
  const root = treeOf(text);
  const lines = new Lines(text);
  const members = new Map<Node, ReadonlyMap<unknown, Node>>();
  return issues.map((issue) => {
    const { line, column } = lines.at(offsetOf(root, issue, members));
    return {
      file,
      line,
      column,
      get message() {
        return issue.message;
      },
    };
  });
}

/** Parses JSON. Returns undefined if it is too long or too deep: its errors are then located at its beginning. */
function treeOf(text: string): Node | undefined {
  if (text.length > maxTreeCharacters) return undefined;
  try {
    return parseTree(text, [], { disallowComments: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/**
 * Returns the offset of the value or name that an issue points at; for a missing value, the offset of its parent.
 * `members` has the members of objects that were searched before, of which an object may have very many.
 */
function offsetOf(
  root: Node | undefined,
  { path, at }: Pick<Issue, "path" | "at">,
  members: Map<Node, ReadonlyMap<unknown, Node>>,
): number {
  let node = root;
  let name: Node | undefined;
  for (const segment of path) {
    const { type, children = [] }: Node = node ?? { type: "null", offset: 0, length: 0 };
    let below: Node | undefined;
    if (type === "array") below = children[Number(segment)];
    if (node && type === "object") {
      const known = members.get(node) ?? new Map(children.map((member) => [member.children?.[0]?.value, member]));
      members.set(node, known);
      const member = known.get(segment);
      name = member?.children?.[0];
      below = member?.children?.[1];
    }
    if (!below) return node?.offset ?? 0;
    node = below;
  }
  return (at === "name" ? (name ?? node) : node)?.offset ?? 0;
}

interface JsonDiagnostic extends Pick<FileDiagnostic, "line" | "column" | "message"> {
  /** The offset of the error's end. */
  readonly end: number;
}

export function jsonErrors(text: string, file: string): FileDiagnostic[] {
  return syntaxErrors(text).map(({ line, column, message }) => ({ file, line, column, message }));
}

/** Finds every error of a malformed text. */
export function syntaxErrors(text: string): JsonDiagnostic[] {
  const first = { line: 1, column: 1, end: 0 };
  if (text.trim() === "") return [{ ...first, message: "The file is empty; expected at least {}." }];
  const errors: JsonDiagnostic[] = [];
  const onError: JSONVisitor["onError"] = (code, offset, length, line, character) => {
    // One error may be reported several times at the same position: the first report counts.
    const last = errors.at(-1);
    if (last && last.line === line + 1 && last.column === character + 1) return;
    const message = syntaxMessages[printParseErrorCode(code)] ?? "This is not JSON.";
    errors.push({ line: line + 1, column: character + 1, end: offset + length, message });
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    // JSON that is nested too deeply overflows the stack.
    if (!(error instanceof RangeError)) throw error;
  }
  if (errors.length > 0) return errors;
  const at = findInexactNumber(text);
  if (at !== -1) return [{ ...new Lines(text).at(at), end: at, message: `${inexactNumberMessage}.` }];
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
  UnexpectedEndOfComment: "JSON has no comments, and this comment is not closed.",
  UnexpectedEndOfString: 'Expected " at the end of this text.',
  UnexpectedEndOfNumber: "Expected more digits at the end of this number.",
  InvalidUnicode: "Expected four hexadecimal digits after \\u.",
  InvalidEscapeCharacter: 'Expected one of " \\ / b f n r t u after the backslash.',
  InvalidCharacter: "Control characters are not allowed in text; write \\n for a line break, \\t for a tab.",
};
