import { HttpError } from "../errors/http-error.ts";

/** Deeper than anything that means something, and far from what overflows the stack. */
const deepest = 100;

/** Reads JSON. Throws HttpError, with the position, for what is none, and for what is nested too deeply. */
export async function parseJson(text: string): Promise<unknown> {
  const value = await parsed(text);
  if (!isDeeperThan(deepest, value)) return value;
  throw new HttpError("body_malformed", { detail: `The body is nested more than ${deepest} deep.` });
}

async function parsed(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError("body_malformed", { detail: `The body is no JSON${await where(text)}.` });
  }
}

/** Where a text stops being JSON; nothing where it is nested too deeply to tell. */
async function where(text: string): Promise<string> {
  const { visit } = await import("jsonc-parser");
  const places: string[] = [];
  try {
    visit(
      text,
      {
        onError: (_code, _offset, _length, line, character) => places.push(`line ${line + 1}, column ${character + 1}`),
      },
      { disallowComments: true },
    );
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return places[0] === undefined ? "" : `: see ${places[0]}`;
}

function isDeeperThan(most: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((part) => isDeeperThan(most - 1, part));
}
