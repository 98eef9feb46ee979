import { isMembers, type Members } from "../../src/validation/members.ts";

/** Returns the form of an error's body: a value of `errors.body`, `text` if it is no JSON object, or `another form`. */
export function errorForm(
  { status, body, mediaType }: { readonly status: number; readonly body: string; readonly mediaType: string },
  json: unknown,
): string {
  if (body === "") return "empty";
  if (!isMembers(json)) return "text";
  const isProblem = mediaType.startsWith("application/problem+json") && json["status"] === status;
  if (isProblem && hasStrings(json, "title", "detail")) return "problem";
  if (Object.keys(json).length > 1) return anotherForm;
  if (hasStrings(json, "message")) return "message";
  const [error] = Array.isArray(json["errors"]) ? (json["errors"] as readonly unknown[]) : [];
  if (!isMembers(error) || error["status"] !== String(status)) return anotherForm;
  const isJsonApi = Object.keys(error).every((name) => jsonApiMembers.has(name));
  return isJsonApi && hasStrings(error, "code", "title", "detail") ? "jsonapi" : anotherForm;
}

export const anotherForm = "another form";

const jsonApiMembers = new Set(["status", "source", "code", "title", "detail"]);

function hasStrings(members: Members, ...names: readonly string[]): boolean {
  return names.every((name) => typeof members[name] === "string");
}

/** The names of a list's members, with a 0 for each value that is not an object. */
const resourcesNames =
  '{"data":0,"meta":{"page":0,"size":0,"total":0,"pages":0},"links":{"self":0,"first":0,"prev":0,"next":0,"last":0}}';

/** Returns the form of a list's body: its members other than the data, by their names. */
export function listForm(json: Members) {
  const names = JSON.stringify(json, (name, value: unknown) =>
    name === "included" ? undefined : isMembers(value) ? value : 0,
  );
  return {
    /** A value of `list.document`; undefined for another form. */
    form: names === resourcesNames ? "resources" : names === '{"data":0}' ? "data" : undefined,
    /** The page size in the body. */
    namedSize: numberNamed(json, sizeNames),
    /** The number of all items in the body. */
    namedTotal: numberNamed(json, totalNames),
  } as const;
}

/** The names of the page size. Names of the number of pages are excluded, which may contain such a word. */
const sizeNames = /^(?!.*(?:pages|last_?page|page_?count)).*(?:size|per_?page|limit)/i;
/** The names of the number of all items. */
const totalNames = /^(?!.*(?:pages|last_?page|page_?count|size|per_?page|limit)).*(?:total|count)/i;

/** Returns the first integer with such a name, in objects a few levels deep. */
function numberNamed(members: Members, names: RegExp, depth = 0): number | undefined {
  for (const [name, value] of Object.entries(members).slice(0, 20)) {
    if (isMembers(value)) {
      const number = depth < 3 ? numberNamed(value, names, depth + 1) : undefined;
      if (number !== undefined) return number;
    } else if (names.test(name) && Number.isSafeInteger(value)) return value as number;
  }
  return undefined;
}
