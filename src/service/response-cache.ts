import { digestOf } from "../text/json-text.ts";
import { stableRank } from "../model/order.ts";
import type { Ledger } from "./ledger.ts";

/**
 * A page of a list: its number, its size, and the number of investments on it and in total. For events, only how many
 * are shown.
 */
export interface Listing {
  readonly page: number | null;
  readonly size: number | null;
  readonly shown: number;
  readonly total: number | null;
}

/** The JSON bytes of a T. */
export class JsonBytes<T> {
  /** Never set. The compiler needs it to distinguish JsonBytes of different types. */
  declare readonly of: T;
  readonly bytes: Buffer;
  /** The page, if the document is a list. */
  readonly listing: Listing | undefined;

  #digest: string | undefined;

  constructor(bytes: Buffer, listing?: Listing) {
    this.bytes = bytes;
    this.listing = listing;
  }

  get digest(): string {
    return (this.#digest ??= digestOf(this.bytes));
  }
}

/** A document in which members, or the items of a member, may already be bytes. Undefined members are omitted. */
export type Serializable<Document> = {
  readonly [Member in keyof Document]:
    | Document[Member]
    | (undefined extends Document[Member] ? undefined : never)
    | JsonBytes<Document[Member]>
    | (Document[Member] extends readonly (infer Item)[] | undefined ? readonly JsonBytes<Item>[] : never);
};

const commaByte = 0x2c;
const comma = Buffer.of(commaByte);

/** Serializes a document. Parts that are bytes are copied. */
function serialize(document: object): Buffer {
  const parts: Buffer[] = [];
  let text = "{";
  const add = (value: unknown): void => {
    if (!(value instanceof JsonBytes)) {
      text += JSON.stringify(value);
      return;
    }
    parts.push(text === "," ? comma : Buffer.from(text), value.bytes);
    text = "";
  };
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue;
    text += `${text === "{" ? "" : ","}${JSON.stringify(name)}:`;
    if (Array.isArray(value)) {
      text += "[";
      for (let at = 0; at < value.length; at++) {
        if (at > 0) text += ",";
        add(value[at]);
      }
      text += "]";
    } else {
      add(value);
    }
  }
  parts.push(Buffer.from(`${text}}`));
  return joined(parts);
}

/** Replaces `Buffer.concat`, whose cost grows faster with the number of parts. */
function joined(parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.allocUnsafe(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    if (part === comma) bytes[at] = commaByte;
    else bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** One cached response: valid for the same variant, under the same values of the assumptions in its ledger. */
interface CacheEntry {
  readonly cache: ResponseCache<object>;
  readonly variant: readonly unknown[];
  readonly ledger: Ledger;
  readonly res: JsonBytes<unknown>;
}

/** Entries per subject: two documents, for both types of key, under both profiles. */
const entriesPerSubject = 8;

/** Bytes in the cache at which entries unused since the last drop are dropped. */
const generationBytes = 16 * 1024 * 1024;

/** Entries by subject, in two generations: those used since the last drop, and older ones. */
let [recent, older] = [new WeakMap<object, readonly CacheEntry[]>(), new WeakMap<object, readonly CacheEntry[]>()];
let recentBytes = 0;

/**
 * Caches the bytes of responses by their subject, an immutable object. A change makes a new investment, and new content
 * of its list, so nothing needs to be invalidated: an entry is collected as garbage together with its subject.
 */
export class ResponseCache<Document extends object> {
  /**
   * Returns the cached response for a subject and variant, or builds it. `build` may only depend on the subject, the
   * variant and the given ledger; for a list, it also notes the page.
   */
  get(
    subject: object,
    variant: readonly unknown[],
    ledger: Ledger,
    build: (ledger: Ledger, note: (listing: Listing) => void) => Serializable<Document>,
  ): JsonBytes<Document> {
    const entries = recent.get(subject) ?? recall(subject);
    for (const entry of entries) {
      if (entry.cache !== this || !areSame(entry.variant, variant) || !ledger.agreesWith(entry.ledger)) continue;
      ledger.addAll(entry.ledger);
      return entry.res as JsonBytes<Document>;
    }
    const used = ledger.emptyCopy();
    try {
      let listing: Listing | undefined;
      const built = build(used, (noted) => (listing = noted));
      const isShuffled = hasOrder(built) && used.value("documents.order") === "shuffled";
      const res = new JsonBytes<Document>(serialize(isShuffled ? shuffled(built) : built), listing);
      const entry = { cache: this, variant, ledger: used, res };
      keep(subject, [entry, ...entries.slice(0, entriesPerSubject - 1)], res.bytes.length);
      return res;
    } finally {
      ledger.addAll(used);
    }
  }
}

const noEntries: readonly CacheEntry[] = [];

/** Moves the entries of a subject from the older generation to the recent one. */
function recall(subject: object): readonly CacheEntry[] {
  const entries = older.get(subject);
  if (!entries) return noEntries;
  const bytes = entries.reduce((sum, { res }) => sum + res.bytes.length, 0);
  keep(subject, entries, bytes);
  return entries;
}

/** Stores the entries of a subject; `bytes` is their growth of the recent generation. */
function keep(subject: object, entries: readonly CacheEntry[], bytes: number): void {
  recent.set(subject, entries);
  recentBytes += bytes;
  if (recentBytes <= generationBytes) return;
  [older, recent] = [recent, new WeakMap()];
  recentBytes = 0;
}

function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false;
  return true;
}

/** Whether another order of members or items would change the JSON of a document. */
function hasOrder(document: object): boolean {
  const contents = Object.values(document).filter((content) => content !== undefined);
  return contents.length > 1 || contents.some((content) => !Array.isArray(content) || content.length > 0);
}

/**
 * Returns a document with its members, and the resources of `included`, in another order. Parts that are bytes stay.
 */
function shuffled(document: object): object {
  const members = reordered(Object.entries(document), ([name]) => name);
  return Object.fromEntries(members.map(([name, content]) => [name, shuffledContent(name, content)]));
}

function shuffledContent(name: string, content: unknown): unknown {
  if (Array.isArray(content)) {
    const items = content.map((item: unknown) => shuffledContent("", item));
    return name === "included" ? reordered(items, (item) => JSON.stringify(item)) : items;
  }
  const isPlain = typeof content === "object" && content !== null && content.constructor === Object;
  return isPlain ? shuffled(content) : content;
}

/** Shuffles items in the same way each time, with another first item. */
function reordered<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  const rank = (item: Item): number => stableRank(0, nameOf(item));
  const ranked = items.toSorted((left, right) => rank(left) - rank(right));
  return ranked[0] === items[0] ? [...ranked.slice(1), ...ranked.slice(0, 1)] : ranked;
}
