import { ControlError } from "../errors/control-error.ts";
import { HttpError } from "../errors/http-error.ts";
import { inputLimits } from "../model/bounds.ts";
import { finding } from "../model/finding.ts";
import { measureJson } from "../model/json-text.ts";
import { FileMistakes, Mistake } from "../model/mistakes.ts";

/** Parses a body. Throws HttpError for malformed JSON, with its place, and for a body over a limit. */
export async function parseJson(content: string, isSnapshot: boolean): Promise<unknown> {
  const maxValues = Math.max(inputLimits.jsonValues, isSnapshot ? content.length * inputLimits.snapshotValues : 0);
  const { values, depth } = measureJson(content, maxValues, inputLimits.jsonDepth);
  if (depth > inputLimits.jsonDepth) throw malformed(`The body is nested more than ${inputLimits.jsonDepth} deep.`);
  if (values > maxValues) throw malformed(`The body has more than ${maxValues.toLocaleString("en")} values.`);
  try {
    return JSON.parse(content);
  } catch {
    throw malformed(`The body is not JSON${await placeOfError(content)}.`);
  }
}

/**
 * Adds line and column, `fixture:3:7: …`, to the mistakes in a fixture if the body has several lines. Returns any other
 * error unchanged.
 */
export async function withLines(error: unknown, body: unknown): Promise<unknown> {
  const cause = error instanceof ControlError && error.cause instanceof Mistake ? error.cause.cause : undefined;
  if (!(cause instanceof FileMistakes) || typeof body !== "string" || !body.trim().includes("\n")) return error;
  const { JsonText } = await import("../model/located/json.ts");
  const inBody = cause.findings.map((one) => finding(["fixture", ...one.path], one.at, () => one.message));
  const { message } = new FileMistakes(new JsonText(body, "fixture").locate(inBody));
  return new ControlError("invalid", message, { cause });
}

function malformed(detail: string): HttpError {
  return new HttpError("body_malformed", { detail });
}

/** `: see line 1, column 8`, the place of the first syntax error. Empty if the error lies beyond the searched part. */
async function placeOfError(content: string): Promise<string> {
  const { syntaxMistakes } = await import("../model/located/json.ts");
  const text = content.slice(0, inputLimits.searchedText);
  // Ignore an error at the end of a text that we truncated.
  const first = syntaxMistakes(text).find(({ end }) => text.length === content.length || end < text.length);
  return first ? `: see line ${first.line}, column ${first.column}` : "";
}
