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
  const ask = (
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
  return { cache, ask, buildsIn };
}

test("the last eight documents of a subject are cached", () => {
  const { ask, buildsIn } = countingCache();
  const subject = {};
  const variants = Array.from({ length: 8 }, (_, at) => at);
  expect(buildsIn(() => variants.forEach((variant) => ask(subject, [variant])))).toBe(8);
  expect(buildsIn(() => variants.forEach((variant) => ask(subject, [variant])))).toBe(0);
  expect(buildsIn(() => ask(subject, [8]))).toBe(1);
  expect(buildsIn(() => variants.slice(1).forEach((variant) => ask(subject, [variant])))).toBe(0);
  expect(buildsIn(() => ask(subject, [0]))).toBe(1);
});

test("a document is dropped if it is not read while twice sixteen megabytes are built", () => {
  const { ask, buildsIn } = countingCache();
  const [inUse, forgotten] = [{}, {}];
  const big = new JsonBytes<string>(Buffer.alloc(6 * 1024 * 1024, "0"));
  ask(inUse);
  ask(forgotten);
  const others: object[] = [];
  for (let round = 0; round < 7; round++) {
    others.push({});
    ask(others[round] ?? {}, [0], big);
    expect(buildsIn(() => ask(inUse))).toBe(0);
  }
  expect(buildsIn(() => ask(forgotten))).toBe(1);
  expect(buildsIn(() => ask(others[6] ?? {}, [0], big))).toBe(0);
  expect(buildsIn(() => ask(others[0] ?? {}, [0], big))).toBe(1);
});
