import { HttpError } from "../errors/http-error.ts";
import { bounds } from "../model/bounds.ts";
import { measureJson, membersIn } from "../model/json-text.ts";

const syntax = () => import("../fixture/mistakes/syntax.ts");

/** Parses a body. Throws HttpError, with the place, for malformed JSON and repeated members, and for what is too large. */
export async function parseJson(content: string, isSnapshot: boolean): Promise<unknown> {
  const mostValues = Math.max(bounds.jsonValues, isSnapshot ? content.length * bounds.snapshotValues : 0);
  const { values, depth, members } = measureJson(content, mostValues, bounds.jsonDepth);
  if (depth > bounds.jsonDepth) throw malformed(`The body is nested more than ${bounds.jsonDepth} deep.`);
  if (values > mostValues) throw malformed(`The body has more than ${mostValues.toLocaleString("en")} values.`);
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw malformed(`The body is not JSON${await placeOfError(content)}.`);
  }
  if (members === membersIn(value)) return value;
  throw malformed(`An object of the body has a member twice${await placeOfRepetition(content)}.`);
}

function malformed(detail: string): HttpError {
  return new HttpError("body_malformed", { detail });
}

/** The place of the first syntax error. */
async function placeOfError(content: string): Promise<string> {
  const { visitAll } = await syntax();
  const text = content.slice(0, bounds.searchedText);
  const isCut = text.length < content.length;
  let first: { readonly line: number; readonly column: number } | undefined;
  visitAll(text, {
    onError(_code, offset, length, line, character) {
      // The cut is no mistake.
      if (!isCut || offset + length < text.length) first ??= { line: line + 1, column: character + 1 };
    },
  });
  return seeAt(first);
}

/** The place of the first member that an object repeats. */
async function placeOfRepetition(content: string): Promise<string> {
  const { repeatedMembers } = await syntax();
  return seeAt(repeatedMembers("", content.slice(0, bounds.searchedText))[0]);
}

/** Empty for a place too far on to have been found. */
function seeAt(place: { readonly line: number; readonly column: number } | undefined): string {
  return place ? `: see line ${place.line}, column ${place.column}` : "";
}
