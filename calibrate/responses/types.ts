import { isMembers } from "../../src/validation/members.ts";
import { isUuid } from "../../src/text/text.ts";

/**
 * The names and types in a JSON value, without its values: `"number"`, `"string|null"`, `{ data: … }`, and for a list
 * `[…]` with the joined types of its items. The name of an optional member ends in `?`.
 */
export type Types = string | Types[] | { [name: string]: Types };

/** Limits for the types of a body of any size: designed names in an object, depth, and values in all. */
const [maxNames, maxDepth, maxValues] = [60, 8, 20_000];

/** How many more values of a body may be looked at or compared. */
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
      merged = merged === undefined ? type : mergedTypes(merged, type, budget);
    }
    return merged === undefined ? [] : [merged];
  }
  if (!isMembers(value)) return value === null ? "null" : typeof value;
  const types: Record<string, Types> = {};
  const names = Object.keys(value);
  // Nobody designs an object with this many names: they are data.
  const isDesigned = names.length <= maxNames;
  for (const member of names) {
    if (budget.values-- <= 0) break;
    const name = isDesigned ? safeName(member) : "*";
    const [before, type] = [types[name], typesOf(value[member], budget, depth + 1)];
    types[name] = before === undefined ? type : mergedTypes(before, type, budget);
  }
  return types;
}

/** Returns the name of a member; `*` for one that could be data. */
function safeName(name: string): string {
  return /^[@$]?[a-z_][\w-]{0,39}$/i.test(name) && !/\d{3}/.test(name) && !isUuid(name) ? name : "*";
}

/** Returns the types at a path of names. */
export function typesAt(types: Types | undefined, ...path: readonly string[]): Types | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return types;
  return isMembers(types) ? typesAt(types[name], ...rest) : undefined;
}

/** The names of the members at a path, in order; none where no object is. */
export function namesIn(types: Types | undefined, ...path: readonly string[]): string[] {
  const members = typesAt(types, ...path);
  return isMembers(members) ? Object.keys(members).toSorted() : [];
}

export function mergedTypes(types: Types, other: Types, budget?: Budget): Types {
  return comparison(types, other, "", budget).merged;
}

/**
 * Returns where two types contradict each other, a line for each place. Null fits everything, and so does the content
 * of an empty list: different data is not a different shape.
 */
export function typeDifferences(before: Types, now: Types): readonly string[] {
  return comparison(before, now, "").differences;
}

interface JointTypes {
  readonly merged: Types;
  readonly differences: readonly string[];
}

function comparison(before: Types, now: Types, place: string, budget?: Budget): JointTypes {
  if (before === now) return { merged: before, differences: [] };
  if (typeof before === "string" && typeof now === "string") {
    const merged = [...new Set([...before.split("|"), ...now.split("|")])].toSorted().join("|");
    return { merged, differences: fits(before, now) ? [] : [`${place || "the body"}: ${before}, now ${now}`] };
  }
  if (before === "null" || now === "null") return { merged: before === "null" ? now : before, differences: [] };
  if (Array.isArray(before) && Array.isArray(now)) {
    const [first, second] = [before[0], now[0]];
    if (first === undefined || second === undefined)
      return { merged: first === undefined ? now : before, differences: [] };
    const { merged, differences } = comparison(first, second, `${place}[]`, budget);
    return { merged: [merged], differences };
  }
  if (isMembers(before) && isMembers(now)) return memberComparison(before, now, place, budget);
  const isKnown = before !== "any" && now !== "any";
  return { merged: "any", differences: isKnown ? [`${place || "the body"}: ${kind(before)}, now ${kind(now)}`] : [] };
}

/** Returns true if one of two sets of simple types contains the other, apart from null. */
function fits(before: string, now: string): boolean {
  const [first = [], second = []] = [before, now].map((types) => types.split("|").filter((type) => type !== "null"));
  const isEither = first.every((type) => second.includes(type)) || second.every((type) => first.includes(type));
  return before === "any" || now === "any" || isEither;
}

/** Members whose types the specification leaves open (sections 2.2 and 2.3). */
const optionalMembers = new Set(["first_name", "middle_name", "last_name", "birthdate", "phone_number"]);

type Members = Readonly<Record<string, Types>>;

function memberComparison(before: Members, now: Members, place: string, budget = newBudget()): JointTypes {
  const merged: Record<string, Types> = {};
  const differences: string[] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)].map((key) => key.replace(/\?$/, "")))) {
    if (budget.values-- <= 0) break;
    const path = place === "" ? name : `${place}.${name}`;
    const [first, second] = [before, now].map((types) => types[name] ?? types[`${name}?`]);
    const isOptional = before[name] === undefined || now[name] === undefined;
    const inner = first === undefined || second === undefined ? undefined : comparison(first, second, path, budget);
    merged[isOptional ? `${name}?` : name] = inner?.merged ?? first ?? second ?? "any";
    if (inner) differences.push(...inner.differences);
    else if (before[name] !== undefined || now[name] !== undefined) {
      if (!optionalMembers.has(name)) differences.push(`${path}: ${first ? "gone" : "new"}`);
    }
  }
  return { merged, differences };
}

function kind(types: Types): string {
  return typeof types === "string" ? types : Array.isArray(types) ? "a list" : "an object";
}
