import { formatEvent, personName } from "../../../src/model/words.ts";
import { isMembers, listOf, type Members } from "../../base/members.ts";

/** Pure functions that align several documents of one investment or offering. */

/** A part of a document: its attributes, its relationships, or an included resource. */
export interface Group {
  readonly key: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

interface Row {
  readonly member: string;
  /** One cell for each document. */
  readonly cells: readonly Cell[];
  /** `keys` if two responses differ, `stored` if they agree but differ from what is stored; null if all agree. */
  readonly difference: "keys" | "stored" | null;
}

interface Cell {
  /** Undefined if the document lacks the member, or is missing. */
  readonly value: unknown;
  /** Whether the document exists but lacks the member. */
  readonly isAbsent: boolean;
}

/**
 * Lines up the members of the record and of its responses. A missing document is undefined, and does not differ from
 * any.
 */
export function aligned(all: readonly unknown[]): readonly Group[] {
  const parts = all.map((document) => (document === undefined ? undefined : partsOf(document)));
  const titles = new Map<string, string>();
  for (const part of parts) for (const [key, { title }] of part ?? []) if (!titles.has(key)) titles.set(key, title);
  const groupsInOrder = [...titles].toSorted(([one], [other]) => rankOf(one) - rankOf(other));
  return groupsInOrder.map(([key, title]) => {
    const groups = parts.map((part) => part && (part.get(key)?.members ?? {}));
    const names = new Set(groups.flatMap((group) => Object.keys(group ?? {})));
    const rows = [...names].map((member): Row => ({
      member,
      cells: groups.map((group) => ({ value: group?.[member], isAbsent: group !== undefined && !(member in group) })),
      difference: differenceOf(groups, member),
    }));
    return { key, title, rows };
  });
}

const first = ["attributes", "investors", "signing_parties"];

/** Ranks the attributes first, then people: keys differ in their members. */
function rankOf(key: string): number {
  const rank = first.indexOf(key.split(" ", 1)[0] ?? "");
  return rank === -1 ? first.length : rank;
}

function differenceOf([stored, ...responses]: readonly (Members | undefined)[], member: string): Row["difference"] {
  // Null counts as equal to a missing member.
  const textIn = (group: Members): string => JSON.stringify(group[member] ?? null);
  const read = new Set(responses.flatMap((group) => (group ? textIn(group) : [])));
  if (read.size > 1) return "keys";
  return read.size === 0 || !stored || read.has(textIn(stored)) ? null : "stored";
}

interface Part {
  readonly title: string;
  readonly members: Members;
}

function partsOf(document: unknown): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  if (!isMembers(document)) return parts.set("", { title: "Body", members: { body: document } });
  const { data, included, ...rest } = document;
  const add = (key: string, title: string, members: Members): void => {
    if (Object.keys(members).length > 0) parts.set(key, { title, members });
  };
  add("document", "Document", isMembers(data) || data === undefined ? rest : { ...rest, data });
  if (isMembers(data)) {
    const { attributes, relationships, ...resource } = data;
    add("data", "Resource", resource);
    add("attributes", "Attributes", isMembers(attributes) ? attributes : { attributes });
    if (isMembers(relationships)) add("relationships", "Relationships", withoutData(relationships));
  }
  for (const resource of listOf(included)) {
    const { type, id, attributes, ...others } = resource;
    const members = isMembers(attributes) ? attributes : others;
    add(`${String(type)} ${String(id)}`, titleOf(String(type), members), members);
  }
  return parts;
}

function withoutData(relationships: Members): Members {
  const short = Object.entries(relationships).map(([name, value]) => {
    return [name, isMembers(value) && "data" in value ? value["data"] : value];
  });
  return Object.fromEntries(short);
}

const singular: Readonly<Record<string, string>> = {
  signing_parties: "Signing party",
  investors: "Investor",
  offerings: "Offering",
  payments: "Payment",
  events: "Event",
};

/** `Investor · Ada Lovelace` */
function titleOf(type: string, members: Members): string {
  const { name, email, event, action, amount } = members;
  const happened = typeof event === "string" && formatEvent({ event, action: textOf(action) });
  const titles = [name, personName(members), email, happened, amount];
  const title = titles.find((one) => (typeof one === "string" ? one !== "" : typeof one === "number"));
  return `${singular[type] ?? type}${title === undefined ? "" : ` · ${textOf(title)}`}`;
}

/** Formats a member for people. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
