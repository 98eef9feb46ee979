import type { Ledger } from "./ledger.ts";

/** A T as the bytes of its JSON. */
export class Written<T> {
  /** There for the compiler only, to which one would be as good as another without it. */
  declare readonly of: T;
  readonly bytes: Buffer;

  constructor(value: T) {
    this.bytes = Buffer.from(JSON.stringify(value));
  }
}

/** What was written of something: by which function, from what besides, and under what its ledger was asked for. */
interface Version {
  readonly show: unknown;
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
 * Lets what a function shows of a thing that never changes be written once. It is as good for every request that gives
 * the same besides, and whose ledger hands out the same for all that was asked of it. Since a change makes another
 * investment, nothing that is kept can be out of date, and it goes with the investment.
 */
export function writtenOnce<Subject extends object, Besides extends readonly unknown[], Shown>(
  show: (subject: Subject, ledger: Ledger, ...besides: Besides) => Shown,
): (subject: Subject, ledger: Ledger, ...besides: Besides) => Written<Shown> {
  return (subject, ledger, ...besides) => {
    const known = lately.get(subject) ?? recall(subject);
    for (const version of known) {
      if (version.show !== show || !areSame(version.besides, besides) || !ledger.agreesWith(version.ledger)) continue;
      ledger.include(version.ledger);
      return version.written as Written<Shown>;
    }
    const asked = ledger.fresh();
    const written = new Written(show(subject, asked, ...besides));
    keep(subject, [{ show, besides, ledger: asked, written }, ...known.slice(0, mostVersions - 1)]);
    ledger.include(asked);
    return written;
  };
}

const nothing: readonly Version[] = [];

/** What was asked for before, which has been asked for lately from now on. */
function recall(subject: object): readonly Version[] {
  const versions = before.get(subject);
  if (versions) keep(subject, versions);
  return versions ?? nothing;
}

function keep(subject: object, versions: readonly Version[]): void {
  lately.set(subject, versions);
  bytesLately += versions.reduce((sum, { written }) => sum + written.bytes.length, 0);
  if (bytesLately <= mostBytes) return;
  [before, lately] = [lately, new WeakMap()];
  bytesLately = 0;
}

function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false;
  return true;
}
