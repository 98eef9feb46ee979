import { expect, test } from "vitest";
import { nearest } from "../../src/text/text.ts";
import { allRooms, filesNamed, homesOf, identifiersIn, namesOn, roomsOf, wordsIn, wordsOfBlocks } from "./names.ts";
import { pages } from "./pages.ts";

/** Names that are in no source, and whose they are. */
const foreignNames: Readonly<Record<string, string>> = {
  Referer: "a header of browsers",
  Host: "a header, in lower case in our sources",
  fetch: "of Node, which our code does not call",
  postinstall: "a script of npm, which our package does not have",
};

const pagesAboutCode = pages.filter(([page]) => /^docs\/(?:architecture\.md|adding\/|decisions\/)/.test(page));

test.for(pagesAboutCode)("%s: each identifier in backticks is in the file that its sentence names", ([page, text]) => {
  expect(wrongNames(page, text)).toEqual([]);
});

test("a wrong name is reported with its line and its file, and with its place or the nearest name", () => {
  const errorsIn = (text: string): string[] => wrongNames("page.md", `# Page\n\n${text}`);
  expect(errorsIn("`tokenIn` is in `src/admin/access.ts`. So is `Grant.right`, a word for `Authorization`.")).toEqual(
    [],
  );
  expect(
    errorsIn("First: `src/server`. `checkGrants` of `access.ts` compares `right` with `src/admin/access.ts`."),
  ).toEqual(["page.md:3: checkGrants is not in access.ts, src/admin/access.ts; checkGrant is."]);
  expect(errorsIn("| `src/admin/access.ts` | `readOrder()` |")).toEqual([
    "page.md:3: readOrder() is not in src/admin/access.ts; it is in src/assumptions/precedence.ts, src/assumptions/row.ts.",
  ]);
  expect(errorsIn("In `src/assumptions/precedence.ts`. Then `orderOfErors` does.")).toEqual([
    "page.md:3: orderOfErors is not in the folders of the files around it; orderOfErrors is.",
  ]);
});

/**
 * Returns what is wrong with the identifiers on a page. One without a file in its sentence is looked for in the folders
 * of the files in its paragraph, else of those on its page, else everywhere. The blocks of a page add to all files.
 */
function wrongNames(page: string, text: string): string[] {
  const names = namesOn(text);
  const filesOfPage = roomsOf(names.flatMap((name) => filesNamed(name.text))) ?? allRooms;
  const wordsOfPage = wordsOfBlocks(text);
  return names.flatMap(({ text: name, line, sentence, paragraph }) => {
    const identifiers = identifiersIn(name);
    if (!identifiers || Object.hasOwn(foreignNames, name)) return [];
    const namedFiles = sentence.filter((word) => filesNamed(word).length > 0);
    const files =
      namedFiles.length > 0 ? namedFiles.flatMap(filesNamed) : (roomsOf(paragraph.flatMap(filesNamed)) ?? filesOfPage);
    const hasIdentifiers = (words: ReadonlySet<string>): boolean =>
      identifiers.every((identifier) => words.has(identifier));
    if ([wordsOfPage, ...files.map(wordsIn)].some(hasIdentifiers)) return [];
    const where = namedFiles.length > 0 ? namedFiles.join(", ") : "the folders of the files around it";
    return [`${page}:${line}: ${name} is not in ${where}${hintOf(identifiers.at(-1) ?? "", files)}.`];
  });
}

/** Returns where a name is, or the nearest that is there. */
function hintOf(name: string, files: readonly string[]): string {
  const homes = homesOf(name);
  if (homes.length > 0) return `; it is in ${homes.slice(0, 3).join(", ")}${homes.length > 3 ? " and others" : ""}`;
  const near = nearest(name, new Set(files.flatMap((file) => [...wordsIn(file)])));
  return near === undefined ? "" : `; ${near} is`;
}
