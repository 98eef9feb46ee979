import { expect, test } from "vitest";
import { assume } from "../../src/assumptions/catalog.ts";
import { Ledger } from "../../src/service/ledger.ts";
import { JsonBytes, ResponseCache } from "../../src/service/response-cache.ts";

interface Body {
  readonly text: string;
}

const ledger = (): Ledger => new Ledger(assume("conventional", {}));

/** A cache that counts how often documents are built. */
function countingCache() {
  const cache = new ResponseCache<Body>();
  let builds = 0;
  const read = (
    subject: object,
    variant: readonly unknown[] = [0],
    text: string | JsonBytes<string> = "x",
    usedLedger = ledger(),
  ): string => {
    const { bytes } = cache.get(subject, variant, usedLedger, () => ({ text: (++builds, text) }));
    return String(bytes);
  };
  const buildsIn = (act: () => void): number => {
    const before = builds;
    act();
    return builds - before;
  };
  return { cache, read, buildsIn };
}

test("the last eight documents of a subject are cached", () => {
  const { read, buildsIn } = countingCache();
  const subject = {};
  const variants = Array.from({ length: 8 }, (_, index) => index);
  expect(buildsIn(() => variants.forEach((variant) => read(subject, [variant])))).toBe(8);
  expect(buildsIn(() => variants.forEach((variant) => read(subject, [variant])))).toBe(0);
  expect(buildsIn(() => read(subject, [8]))).toBe(1);
  expect(buildsIn(() => variants.slice(1).forEach((variant) => read(subject, [variant])))).toBe(0);
  expect(buildsIn(() => read(subject, [0]))).toBe(1);
});

test("a document is discarded if it is not read while twice sixteen megabytes are built", () => {
  const { read, buildsIn } = countingCache();
  const [inUse, forgotten] = [{}, {}];
  const big = new JsonBytes<string>(Buffer.alloc(6 * 1024 * 1024, "0"));
  read(inUse);
  read(forgotten);
  const subjects: object[] = [];
  for (let round = 0; round < 7; round++) {
    subjects.push({});
    read(subjects[round] ?? {}, [0], big);
    expect(buildsIn(() => read(inUse))).toBe(0);
  }
  expect(buildsIn(() => read(forgotten))).toBe(1);
  expect(buildsIn(() => read(subjects[6] ?? {}, [0], big))).toBe(0);
  expect(buildsIn(() => read(subjects[0] ?? {}, [0], big))).toBe(1);
});
