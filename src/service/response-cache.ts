import type { Ledger } from "./ledger.ts";

/** A T as the bytes of its JSON. */
export class Written<T> {
  /** There for the compiler only, to which one would be as good as another without it. */
  declare readonly of: T;
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** A document some of whose members are written already, as a whole or item by item; undefined ones are left out. */
export type Composed<Document> = {
  readonly [Member in keyof Document]:
    | Document[Member]
    | (undefined extends Document[Member] ? undefined : never)
    | Written<Document[Member]>
    | (Document[Member] extends readonly (infer Item)[] | undefined ? readonly Written<Item>[] : never);
};

const commaByte = 0x2c;
const comma = Buffer.of(commaByte);

/** The bytes of a document: what is written already is copied, the rest is written now. */
function compose(document: object): Buffer {
  const parts: Buffer[] = [];
  let text = "{";
  const add = (value: unknown): void => {
    if (!(value instanceof Written)) {
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

/** As `Buffer.concat`, which costs more the more parts there are. */
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

/** What was written of something: what it is, from what besides, and under what its ledger was asked for. */
interface Version {
  readonly what: WrittenOnce<object>;
  readonly besides: readonly unknown[];
  readonly ledger: Ledger;
  readonly written: Written<unknown>;
}

/** In how many ways one thing is kept written: two documents, for both types of key, under both profiles. */
const mostVersions = 8;

/** How many bytes are kept before those are let go that nobody has asked for meanwhile. */
const mostBytes = 16 * 1024 * 1024;

/** By what they were written of: the versions asked for lately, and those asked for before. */
let [lately, before] = [new WeakMap<object, readonly Version[]>(), new WeakMap<object, readonly Version[]>()];
let bytesLately = 0;

/**
 * What is shown of things that never change, written once. It is as good for every request that gives the same besides,
 * and whose ledger hands out the same for all that was asked of it. Since a change makes another investment, and another
 * content of its list, nothing that is kept can be out of date, and it goes with what it was written of.
 */
export class WrittenOnce<Shown extends object> {
  /** What `show` shows of a subject, which must depend on nothing but the subject, what is given besides, and its ledger. */
  of(
    subject: object,
    besides: readonly unknown[],
    ledger: Ledger,
    show: (ledger: Ledger) => Composed<Shown>,
  ): Written<Shown> {
    const known = lately.get(subject) ?? recall(subject);
    for (const version of known) {
      if (version.what !== this || !areSame(version.besides, besides) || !ledger.agreesWith(version.ledger)) continue;
      ledger.include(version.ledger);
      return version.written as Written<Shown>;
    }
    const asked = ledger.fresh();
    try {
      const written = new Written<Shown>(compose(show(asked)));
      const version = { what: this, besides, ledger: asked, written };
      keep(subject, [version, ...known.slice(0, mostVersions - 1)], written.bytes.length);
      return written;
    } finally {
      ledger.include(asked);
    }
  }
}

const nothing: readonly Version[] = [];

/** What was asked for before, which has been asked for lately from now on. */
function recall(subject: object): readonly Version[] {
  const versions = before.get(subject);
  if (!versions) return nothing;
  keep(
    subject,
    versions,
    versions.reduce((sum, { written }) => sum + written.bytes.length, 0),
  );
  return versions;
}

/** Keeps the versions of a subject, of which so many bytes were not among those asked for lately. */
function keep(subject: object, versions: readonly Version[], bytes: number): void {
  lately.set(subject, versions);
  bytesLately += bytes;
  if (bytesLately <= mostBytes) return;
  [before, lately] = [lately, new WeakMap()];
  bytesLately = 0;
}

function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false;
  return true;
}
