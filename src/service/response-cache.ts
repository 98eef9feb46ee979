import { digestOf } from "../text/json-text.ts";
import { stableRank } from "../model/order.ts";
import type { Ledger } from "./ledger.ts";

/** A page of a list, with the number of investments on it and in total. A list of events has only `shown`. */
export interface Listing {
  readonly page: number | null;
  readonly size: number | null;
  readonly shown: number;
  readonly total: number | null;
}

/** The JSON of a T, as bytes. */
export class JsonBytes<T> {
  /** Never set. With this member, the compiler distinguishes JsonBytes of different types. */
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

/** Serializes a document. Values that are bytes already are copied. */
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
      for (let index = 0; index < value.length; index++) {
        if (index > 0) text += ",";
        add(value[index]);
      }
      text += "]";
    } else {
      add(value);
    }
  }
  parts.push(Buffer.from(`${text}}`));
  return concatenate(parts);
}

/** Replaces `Buffer.concat`, whose cost grows faster with the number of parts. */
function concatenate(parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.allocUnsafe(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    if (part === comma) bytes[offset] = commaByte;
    else bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** One cached response: valid for the same variant, under the same values of the assumptions in its ledger. */
interface CacheEntry {
  readonly cache: ResponseCache<object>;
  readonly variant: readonly unknown[];
  readonly ledger: Ledger;
  readonly response: JsonBytes<unknown>;
}

/** Maximum number of entries of a subject: two documents, for both types of key, under both profiles. */
const entriesPerSubject = 8;

/** The size at which the recent generation becomes the older one, and the previous older one is discarded. */
const generationBytes = 16 * 1024 * 1024;

/** Entries by subject, in two generations: the recent one has the entries used since it began. */
let [recent, older] = [new WeakMap<object, readonly CacheEntry[]>(), new WeakMap<object, readonly CacheEntry[]>()];
let recentBytes = 0;

/**
 * Caches the bytes of responses by their subject, an immutable object. A change makes a new investment, and new content
 * of its list, so nothing needs to be invalidated: an entry is collected as garbage together with its subject.
 */
export class ResponseCache<Document extends object> {
  /**
   * Returns the cached response for a subject and variant, or builds it. `build` may depend only on the subject, the
   * variant and the ledger that it receives; for a list, it calls `onListing` with the page.
   */
  get(
    subject: object,
    variant: readonly unknown[],
    ledger: Ledger,
    build: (ledger: Ledger, onListing: (listing: Listing) => void) => Serializable<Document>,
  ): JsonBytes<Document> {
    const entries = recent.get(subject) ?? promoteEntries(subject);
    for (const entry of entries) {
      if (entry.cache !== this || !areEqual(entry.variant, variant) || !ledger.agreesWith(entry.ledger)) continue;
      ledger.addAll(entry.ledger);
      return entry.response as JsonBytes<Document>;
    }
    const entryLedger = ledger.emptyCopy();
    try {
      let listing: Listing | undefined;
      const document = build(entryLedger, (notedListing) => (listing = notedListing));
      const isShuffled = hasOrder(document) && entryLedger.value("documents.order") === "shuffled";
      const response = new JsonBytes<Document>(serialize(isShuffled ? shuffleDocument(document) : document), listing);
      const entry = { cache: this, variant, ledger: entryLedger, response };
      storeEntries(subject, [entry, ...entries.slice(0, entriesPerSubject - 1)], response.bytes.length);
      return response;
    } finally {
      ledger.addAll(entryLedger);
    }
  }
}

const noEntries: readonly CacheEntry[] = [];

/** Moves the entries of a subject from the older generation to the recent one. */
function promoteEntries(subject: object): readonly CacheEntry[] {
  const entries = older.get(subject);
  if (!entries) return noEntries;
  const byteCount = entries.reduce((sum, { response: res }) => sum + res.bytes.length, 0);
  storeEntries(subject, entries, byteCount);
  return entries;
}

/** Stores the entries of a subject; `bytes` is their growth of the recent generation. */
function storeEntries(subject: object, entries: readonly CacheEntry[], byteCount: number): void {
  recent.set(subject, entries);
  recentBytes += byteCount;
  if (recentBytes <= generationBytes) return;
  [older, recent] = [recent, new WeakMap()];
  recentBytes = 0;
}

function areEqual(left: readonly unknown[], right: readonly unknown[]): boolean {
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}

/** Returns true if another order of members or items would change the JSON of a document. */
function hasOrder(document: object): boolean {
  const contents = Object.values(document).filter((content) => content !== undefined);
  return contents.length > 1 || contents.some((content) => !Array.isArray(content) || content.length > 0);
}

/** Returns a document with its members and the resources of `included` in another order. Bytes stay as they are. */
function shuffleDocument(document: object): object {
  const members = shuffleItems(Object.entries(document), ([name]) => name);
  return Object.fromEntries(members.map(([name, content]) => [name, shuffleContent(name, content)]));
}

function shuffleContent(name: string, content: unknown): unknown {
  if (Array.isArray(content)) {
    const items = content.map((item: unknown) => shuffleContent("", item));
    return name === "included" ? shuffleItems(items, (item) => JSON.stringify(item)) : items;
  }
  const isPlain = typeof content === "object" && content !== null && content.constructor === Object;
  return isPlain ? shuffleDocument(content) : content;
}

/** Shuffles items in the same way each time, with another first item. */
function shuffleItems<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  const rank = (item: Item): number => stableRank(0, nameOf(item));
  const ranked = items.toSorted((left, right) => rank(left) - rank(right));
  return ranked[0] === items[0] ? [...ranked.slice(1), ...ranked.slice(0, 1)] : ranked;
}
