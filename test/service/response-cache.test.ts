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
  let buildCount = 0;
  const read = (
    subject: object,
    variant: readonly unknown[] = [0],
    text: string | JsonBytes<string> = "x",
    usedLedger = ledger(),
  ): string => {
    const { bytes } = cache.get(subject, variant, usedLedger, () => ({ text: (++buildCount, text) }));
    return String(bytes);
  };
  const countBuilds = (action: () => void): number => {
    const countBefore = buildCount;
    action();
    return buildCount - countBefore;
  };
  return { cache, read, countBuilds };
}

test("the last eight documents of a subject are cached", () => {
  const { read, countBuilds } = countingCache();
  const subject = {};
  const variants = Array.from({ length: 8 }, (_, index) => index);
  expect(countBuilds(() => variants.forEach((variant) => read(subject, [variant])))).toBe(8);
  expect(countBuilds(() => variants.forEach((variant) => read(subject, [variant])))).toBe(0);
  expect(countBuilds(() => read(subject, [8]))).toBe(1);
  expect(countBuilds(() => variants.slice(1).forEach((variant) => read(subject, [variant])))).toBe(0);
  expect(countBuilds(() => read(subject, [0]))).toBe(1);
});

test("a document is discarded if it is not read while 32 MB of other documents are built", () => {
  const { read, countBuilds } = countingCache();
  const [usedSubject, unusedSubject] = [{}, {}];
  const largeText = new JsonBytes<string>(Buffer.alloc(6 * 1024 * 1024, "0"));
  read(usedSubject);
  read(unusedSubject);
  const subjects: object[] = [];
  for (let round = 0; round < 7; round++) {
    subjects.push({});
    read(subjects[round] ?? {}, [0], largeText);
    expect(countBuilds(() => read(usedSubject))).toBe(0);
  }
  expect(countBuilds(() => read(unusedSubject))).toBe(1);
  expect(countBuilds(() => read(subjects[6] ?? {}, [0], largeText))).toBe(0);
  expect(countBuilds(() => read(subjects[0] ?? {}, [0], largeText))).toBe(1);
});
