import { isMembers } from "../src/model/members.ts";
import { isUuid } from "../src/model/text.ts";

/**
 * The names and types in a JSON value, without any of its values: `"number"`, `"string|null"`, `{ data: … }`, and for a list the
 * types of all its items in one: `[…]`. A name that some items lack ends in `?`.
 */
export type Types = string | readonly Types[] | { readonly [name: string]: Types };

/** Bounds of what is kept of a body, however large it is. */
const [mostItems, mostNames, mostDepth] = [1000, 60, 8];

/** Returns the names and types in a value. Names that could be data, such as ids used as names, become one: `*`. */
export function typesOf(value: unknown, depth = 0): Types {
  if (depth > mostDepth) return "any";
  if (Array.isArray(value)) {
    const items = value.slice(0, mostItems).map((item) => typesOf(item, depth + 1));
    const [first, ...rest] = items;
    return first === undefined ? [] : [rest.reduce(mergedTypes, first)];
  }
  if (!isMembers(value)) return value === null ? "null" : typeof value;
  const found: Record<string, Types> = {};
  const members = Object.entries(value);
  // So many names are nobody's design: they are data.
  const isNamed = members.length <= mostNames;
  for (const [name, member] of members.slice(0, mostItems)) {
    const kept = isNamed ? safeName(name) : "*";
    const types = typesOf(member, depth + 1);
    found[kept] = found[kept] === undefined ? types : mergedTypes(found[kept], types);
  }
  return found;
}

/** Returns a member's name if it is one that a program has chosen; `*` for one that could be somebody's data. */
export function safeName(name: string): string {
  return /^[@$]?[a-z_][\w-]{0,39}$/i.test(name) && !/\d{3}/.test(name) && !isUuid(name) ? name : "*";
}

/** Returns types that describe both. */
export function mergedTypes(one: Types, other: Types): Types {
  if (one === "null" && typeof other !== "string") return other;
  if (other === "null" && typeof one !== "string") return one;
  if (typeof one === "string" && typeof other === "string") {
    return [...new Set([...one.split("|"), ...other.split("|")])].toSorted().join("|");
  }
  if (isList(one) && isList(other)) {
    const [first, second] = [one[0], other[0]];
    if (first === undefined || second === undefined) return first === undefined ? other : one;
    return [mergedTypes(first, second)];
  }
  if (typeof one === "string" || typeof other === "string" || isList(one) || isList(other)) return "any";
  const merged: Record<string, Types> = {};
  for (const name of new Set([...bareNames(one), ...bareNames(other)])) {
    const [first, second] = [memberOf(one, name), memberOf(other, name)];
    if (first && second) {
      const optional = first.optional || second.optional;
      merged[optional ? `${name}?` : name] = mergedTypes(first.types, second.types);
    } else {
      const only = first ?? second;
      if (only) merged[`${name}?`] = only.types;
    }
  }
  return merged;
}

/** Members that the specification itself lets come and go (sections 2.2 and 2.3). */
const comingAndGoing = new Set(["first_name", "middle_name", "last_name", "birthdate", "phone_number"]);

/**
 * Returns where two types contradict each other, a line for each place. Null fits everything, and so does what an empty list
 * holds: other data is no other shape.
 */
export function typeDifferences(before: Types, now: Types, place = ""): string[] {
  if (before === now || [before, now].some((types) => types === "null" || types === "any")) return [];
  if (typeof before === "string" && typeof now === "string") {
    const fits =
      kinds(before).every((kind) => kinds(now).includes(kind)) ||
      kinds(now).every((kind) => kinds(before).includes(kind));
    return fits ? [] : [`${place || "the body"}: ${before}, now ${now}`];
  }
  if (isList(before) && isList(now)) {
    const [first, second] = [before[0], now[0]];
    return first === undefined || second === undefined ? [] : typeDifferences(first, second, `${place}[]`);
  }
  if (typeof before === "string" || typeof now === "string" || isList(before) || isList(now)) {
    return [`${place || "the body"}: ${kindOf(before)}, now ${kindOf(now)}`];
  }
  return [...new Set([...bareNames(before), ...bareNames(now)])].flatMap((name) => {
    const [first, second] = [memberOf(before, name), memberOf(now, name)];
    const path = place === "" ? name : `${place}.${name}`;
    if (first && second) return typeDifferences(first.types, second.types, path);
    if ((first ?? second)?.optional || comingAndGoing.has(name)) return [];
    return [`${path}: ${first ? "gone" : "new"}`];
  });
}

/** The kinds of a value, null apart. */
function kinds(types: string): string[] {
  return types.split("|").filter((kind) => kind !== "null");
}

function isList(types: Types): types is readonly Types[] {
  return Array.isArray(types);
}

function kindOf(types: Types): string {
  return typeof types === "string" ? types : isList(types) ? "a list" : "an object";
}

type Members = { readonly [name: string]: Types };

function bareNames(types: Members): string[] {
  return Object.keys(types).map((name) => name.replace(/\?$/, ""));
}

function memberOf(types: Members, name: string): { types: Types; optional: boolean } | undefined {
  if (Object.hasOwn(types, name)) return { types: types[name] as Types, optional: false };
  return Object.hasOwn(types, `${name}?`) ? { types: types[`${name}?`] as Types, optional: true } : undefined;
}
