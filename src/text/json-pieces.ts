import { Turns } from "../bounds/turns.ts";

/**
 * The JSON of plain data in pieces, so that others may get a turn between them: a list or an object with lists or
 * objects in it, or with very many items, is made item by item. The members keep their order, or are sorted by name.
 */
export function* jsonPieces(value: unknown, isSorted = false): Generator<string> {
  if (!isLarge(value)) return yield JSON.stringify(value, isSorted ? sortMembers : undefined);
  const isList = Array.isArray(value);
  const names = Object.keys(value);
  let before = isList ? "[" : "{";
  for (const name of isSorted && !isList ? names.toSorted() : names) {
    const item = (value as Readonly<Record<string, unknown>>)[name];
    if (item === undefined && !isList) continue;
    yield isList ? before : `${before}${JSON.stringify(name)}:`;
    yield* jsonPieces(item ?? null, isSorted);
    before = ",";
  }
  yield (before === "," ? "" : before) + (isList ? "]" : "}");
}

/** The JSON of plain data as it is at the call, made in pieces, between which others get a turn. */
export async function jsonInTurns(value: unknown, turns = new Turns()): Promise<string> {
  let text = "";
  for (const piece of jsonPieces(value)) {
    text += piece;
    await turns.next();
  }
  return text;
}

/** Puts the members of each object in the order of their names, for `JSON.stringify`. */
export function sortMembers(_name: string, value: unknown): unknown {
  if (!isObject(value) || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function isLarge(value: unknown): value is object {
  if (!isObject(value)) return false;
  const items: readonly unknown[] = Object.values(value);
  return items.length > 1000 || items.some(isObject);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
