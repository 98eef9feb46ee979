import { isMembers } from "../../src/validation/members.ts";
import { isUuid } from "../../src/text/text.ts";

/**
 * The names and types in a JSON value, without its values: `"number"`, `"string|null"`, `{ data: … }`, and for a list
 * `[…]` with the joined types of its items. The name of an optional member ends in `?`.
 */
export type Types = string | Types[] | { [name: string]: Types };

/** Limits for the types of a body: designed names in an object, depth, and the total number of values. */
const [maxNames, maxDepth, maxValues] = [60, 8, 20_000];

/** The number of further values of a body that may be examined or compared. */
export interface Budget {
  values: number;
}

export function newBudget(): Budget {
  return { values: maxValues };
}

/**
 * Returns the names and types in a value. Names that may be data, such as ids, become one name: `*`. Values beyond the
 * budget, which ends below zero, are omitted.
 */
export function typesOf(value: unknown, budget = newBudget(), depth = 0): Types {
  if (depth > maxDepth) return "any";
  if (Array.isArray(value)) {
    let merged: Types | undefined;
    for (const item of value) {
      if (budget.values-- <= 0) break;
      const type = typesOf(item, budget, depth + 1);
      merged = merged === undefined ? type : mergeTypes(merged, type, budget);
    }
    return merged === undefined ? [] : [merged];
  }
  if (!isMembers(value)) return value === null ? "null" : typeof value;
  const types: Record<string, Types> = {};
  const names = Object.keys(value);
  // An object with more names is not designed: its names are data.
  const isDesigned = names.length <= maxNames;
  for (const member of names) {
    if (budget.values-- <= 0) break;
    const name = isDesigned ? safeName(member) : "*";
    const [mergedType, type] = [types[name], typesOf(value[member], budget, depth + 1)];
    types[name] = mergedType === undefined ? type : mergeTypes(mergedType, type, budget);
  }
  return types;
}

/** Returns the name of a member; `*` for a name that could be data. */
function safeName(name: string): string {
  return /^[@$]?[a-z_][\w-]{0,39}$/i.test(name) && !/\d{3}/.test(name) && !isUuid(name) ? name : "*";
}

/** Returns the types at a path of names. */
export function typesAt(types: Types | undefined, ...path: readonly string[]): Types | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return types;
  return isMembers(types) ? typesAt(types[name], ...rest) : undefined;
}

/** Returns the sorted names of the members at a path; no names if there is no object. */
export function namesIn(types: Types | undefined, ...path: readonly string[]): string[] {
  const members = typesAt(types, ...path);
  return isMembers(members) ? Object.keys(members).toSorted() : [];
}

export function mergeTypes(types: Types, otherTypes: Types, budget?: Budget): Types {
  return compareTypes(types, otherTypes, "", budget).merged;
}

/**
 * Returns a line for each path at which two types contradict each other. Null and the content of an empty list
 * contradict nothing, because different data is not a different shape.
 */
export function typeDifferences(earlier: Types, later: Types): readonly string[] {
  return compareTypes(earlier, later, "").differences;
}

interface JointTypes {
  readonly merged: Types;
  readonly differences: readonly string[];
}

function compareTypes(earlier: Types, later: Types, path: string, budget?: Budget): JointTypes {
  if (earlier === later) return { merged: earlier, differences: [] };
  if (typeof earlier === "string" && typeof later === "string") {
    const merged = [...new Set([...earlier.split("|"), ...later.split("|")])].toSorted().join("|");
    const difference = `${path || "the body"}: ${earlier}, now ${later}`;
    return { merged, differences: isCompatible(earlier, later) ? [] : [difference] };
  }
  if (earlier === "null" || later === "null") return { merged: earlier === "null" ? later : earlier, differences: [] };
  if (Array.isArray(earlier) && Array.isArray(later)) {
    const [first, second] = [earlier[0], later[0]];
    if (first === undefined || second === undefined)
      return { merged: first === undefined ? later : earlier, differences: [] };
    const { merged, differences } = compareTypes(first, second, `${path}[]`, budget);
    return { merged: [merged], differences };
  }
  if (isMembers(earlier) && isMembers(later)) return compareMembers(earlier, later, path, budget);
  const isKnown = earlier !== "any" && later !== "any";
  const difference = `${path || "the body"}: ${formatKind(earlier)}, now ${formatKind(later)}`;
  return { merged: "any", differences: isKnown ? [difference] : [] };
}

/** Returns true if one of two sets of simple types contains the other, apart from null. */
function isCompatible(earlier: string, later: string): boolean {
  const [first = [], second = []] = [earlier, later].map((types) => types.split("|").filter((type) => type !== "null"));
  const isEither = first.every((type) => second.includes(type)) || second.every((type) => first.includes(type));
  return earlier === "any" || later === "any" || isEither;
}

/** The members that the specification makes optional (sections 2.2 and 2.3). */
const optionalMembers = new Set(["first_name", "middle_name", "last_name", "birthdate", "phone_number"]);

type Members = Readonly<Record<string, Types>>;

function compareMembers(earlier: Members, later: Members, parentPath: string, budget = newBudget()): JointTypes {
  const merged: Record<string, Types> = {};
  const differences: string[] = [];
  for (const name of new Set([...Object.keys(earlier), ...Object.keys(later)].map((key) => key.replace(/\?$/, "")))) {
    if (budget.values-- <= 0) break;
    const path = parentPath === "" ? name : `${parentPath}.${name}`;
    const [first, second] = [earlier, later].map((types) => types[name] ?? types[`${name}?`]);
    const isOptional = earlier[name] === undefined || later[name] === undefined;
    const inner = first === undefined || second === undefined ? undefined : compareTypes(first, second, path, budget);
    merged[isOptional ? `${name}?` : name] = inner?.merged ?? first ?? second ?? "any";
    if (inner) differences.push(...inner.differences);
    else if (earlier[name] !== undefined || later[name] !== undefined) {
      if (!optionalMembers.has(name)) differences.push(`${path}: ${first ? "gone" : "new"}`);
    }
  }
  return { merged, differences };
}

function formatKind(types: Types): string {
  return typeof types === "string" ? types : Array.isArray(types) ? "a list" : "an object";
}
