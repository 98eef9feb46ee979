import { isMembers, type Members } from "../src/model/members.ts";
import { safeName } from "./types.ts";

/** The form of a list as a value of `list.document`; undefined for one that no template gives. */
export interface ListForm {
  readonly form: string | undefined;
  /** The size of a page that the body names. */
  readonly size: number | undefined;
  /** The number of items on all pages that it names. */
  readonly total: number | undefined;
}

const conventional = templateText({
  data: "{data}",
  meta: { page: "{page}", size: "{size}", total: "{total}", pages: "{pages}" },
  links: { self: "{self}", first: "{first}", prev: "{prev}", next: "{next}", last: "{last}" },
});

/** Returns the form of a list's body: what stands beside its data, by names. */
export function listForm(json: Members): ListForm {
  const named: Named = {};
  const { included: _, ...rest } = json;
  const template = templateOf({ ...rest, data: "{data}" }, "", 0, named);
  const text = template === undefined ? undefined : templateText(template);
  const form = text === conventional ? "resources" : text === templateText({ data: "{data}" }) ? "data" : text;
  return { form, size: named["{size}"], total: named["{total}"] };
}

/** The first number of each placeholder. */
type Named = Record<string, number>;

function templateText(template: unknown): string {
  return `like:${JSON.stringify(template)}`;
}

function templateOf(value: unknown, name: string, depth: number, named: Named): unknown {
  if (isMembers(value) && depth < 4) {
    const members = Object.entries(value)
      .slice(0, 20)
      .map(([member, inner]) => [safeName(member), templateOf(inner, member, depth + 1, named)] as const);
    return members.some(([, inner]) => inner === undefined) ? undefined : Object.fromEntries(members);
  }
  if (value === "{data}" && name === "data") return value;
  const placeholder = typeof value === "number" ? numberNamed(name) : linkNamed(name);
  if (placeholder !== undefined && Number.isSafeInteger(value)) named[placeholder] ??= value as number;
  const isKnown = value === null || ["string", "number"].includes(typeof value);
  return isKnown ? placeholder : undefined;
}

/** The placeholder for a number of this name. */
function numberNamed(name: string): string | undefined {
  if (/pages|last_?page|page_?count/i.test(name)) return "{pages}";
  if (/size|per_?page|limit/i.test(name)) return "{size}";
  if (/total|count/i.test(name)) return "{total}";
  return /page|number|current/i.test(name) ? "{page}" : undefined;
}

/** The placeholder for a link of this name. */
function linkNamed(name: string): string | undefined {
  const links = { self: /self|current/i, first: /first/i, prev: /prev/i, next: /next/i, last: /last/i };
  const known = Object.entries(links).find(([, pattern]) => pattern.test(name));
  return known && `{${known[0]}}`;
}
