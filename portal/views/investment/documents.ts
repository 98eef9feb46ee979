import { formatEvent, personName } from "../../../src/model/summaries.ts";
import { isMembers, listOf, type Members } from "../../base/members.ts";

/** Pure functions that align several documents of one investment or offering. */

/** A section of all documents: their attributes, their relationships, or an included resource. */
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

/** Aligns the members of the stored document and of the responses. A missing document (undefined) differs from none. */
export function alignDocuments(documents: readonly unknown[]): readonly Group[] {
  const sections = documents.map((document) => (document === undefined ? undefined : sectionsOf(document)));
  const titles = new Map<string, string>();
  for (const [key, { title }] of sections.flatMap((byKey) => [...(byKey ?? [])])) {
    if (!titles.has(key)) titles.set(key, title);
  }
  const groups = [...titles].toSorted(([left], [right]) => rankOf(left) - rankOf(right));
  return groups.map(([key, title]) => {
    const members = sections.map((byKey) => byKey && (byKey.get(key)?.members ?? {}));
    const names = new Set(members.flatMap((section) => Object.keys(section ?? {})));
    const rows = [...names].map((member): Row => ({
      member,
      cells: members.map((section) => ({
        value: section?.[member],
        isAbsent: section !== undefined && !(member in section),
      })),
      difference: differenceOf(members, member),
    }));
    return { key, title, rows };
  });
}

const leadingGroups = ["attributes", "investors", "signing_parties"];

/** Ranks the attributes first, then people: keys differ in their members. */
function rankOf(key: string): number {
  const rank = leadingGroups.indexOf(key.split(" ", 1)[0] ?? "");
  return rank === -1 ? leadingGroups.length : rank;
}

function differenceOf([stored, ...responses]: readonly (Members | undefined)[], member: string): Row["difference"] {
  // Null counts as equal to a missing member.
  const textIn = (section: Members): string => JSON.stringify(section[member] ?? null);
  const texts = new Set(responses.flatMap((section) => (section ? textIn(section) : [])));
  if (texts.size > 1) return "keys";
  return texts.size === 0 || !stored || texts.has(textIn(stored)) ? null : "stored";
}

interface Section {
  readonly title: string;
  readonly members: Members;
}

/** Returns the sections of a document by their keys. */
function sectionsOf(document: unknown): ReadonlyMap<string, Section> {
  const sections = new Map<string, Section>();
  if (!isMembers(document)) return sections.set("", { title: "Body", members: { body: document } });
  const { data, included, ...rest } = document;
  const add = (key: string, title: string, members: Members): void => {
    if (Object.keys(members).length > 0) sections.set(key, { title, members });
  };
  add("document", "Document", isMembers(data) || data === undefined ? rest : { ...rest, data });
  if (isMembers(data)) {
    const { attributes, relationships, ...resource } = data;
    add("data", "Resource", resource);
    add("attributes", "Attributes", isMembers(attributes) ? attributes : { attributes });
    if (isMembers(relationships)) add("relationships", "Relationships", dataOf(relationships));
  }
  for (const resource of listOf(included)) {
    const { type, id, attributes, ...fields } = resource;
    const members = isMembers(attributes) ? attributes : fields;
    add(`${String(type)} ${String(id)}`, formatTitle(String(type), members), members);
  }
  return sections;
}

/** Returns the data of each relationship. */
function dataOf(relationships: Members): Members {
  const entries = Object.entries(relationships);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isMembers(value) && "data" in value ? value["data"] : value]),
  );
}

const singular: Readonly<Record<string, string>> = {
  signing_parties: "Signing party",
  investors: "Investor",
  offerings: "Offering",
  payments: "Payment",
  events: "Event",
};

/** `Investor · Ada Lovelace` */
function formatTitle(type: string, members: Members): string {
  const { name, email, event, action, amount } = members;
  const eventTitle = typeof event === "string" && formatEvent({ event, action: formatValue(action) });
  const titles = [name, personName(members), email, eventTitle, amount];
  const title = titles.find((value) => (typeof value === "string" ? value !== "" : typeof value === "number"));
  return `${singular[type] ?? type}${title === undefined ? "" : ` · ${formatValue(title)}`}`;
}

/** Formats a member for people. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
