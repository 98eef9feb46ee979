import { expect, test } from "vitest";
import { readBlocks } from "./blocks/block.ts";
import { kinds } from "./blocks/kinds.ts";
import { pages } from "./pages.ts";

test.for(pages)("%s hides no block, its blocks have a language alone, and each kind has its block", ([page, text]) => {
  expect(() => readBlocks(page, text, kinds[page])).not.toThrow();
  expect(text).not.toMatch(/<!--(?:(?!-->)[^])*```/);
});

test("every page that kinds.ts names exists", () => {
  const names = pages.map(([page]) => page);
  expect(Object.keys(kinds).filter((page) => !names.includes(page))).toEqual([]);
});
