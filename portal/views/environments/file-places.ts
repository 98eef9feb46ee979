/**
 * The mistakes in a fixture as the command line has them, with its file, lines and columns: `fixture: offerings[0].amount is -1; …`
 * as `mine.json:12:5: offerings[0].amount is -1; …`.
 */
export function withPlaces(message: string, file: string, text: string): string {
  const place = (offset: number): string => {
    const before = text.slice(0, offset).split("\n");
    return `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}:`;
  };
  return message
    .replace(/^The body is not JSON: see line (\d+), column (\d+)/, (_, line: string, column: string) => {
      return `${file}:${line}:${line === "1" ? Number(column) - begin.length : column}: This is not JSON`;
    })
    .replace(/^fixture:(?= (the fixture|\S+)(?: has no member "(.+?)")?)/gm, (_, path: string, member?: string) =>
      place(offsetIn(text, path === "the fixture" ? "" : `.${path}`, member)),
    );
}

/** It stands before the file in the body of the call. */
const begin = '{"fixture":';

/** One after the other: a name of a member, a sign, or a value. */
const tokens = /"(?:[^"\\]|\\.)*"(?:\s*:)?|[[\]{},]|[^\s",:[\]{}]+/g;

/** The offset in a JSON text of the value at `.offerings[0].amount`, or of the name of a member of it; 0 if it is not there. */
function offsetIn(text: string, path: string, member: string | undefined): number {
  const open: { readonly path: string; readonly isList: boolean; index: number }[] = [];
  let name = "";
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const around = open.at(-1);
    if (token === ",") {
      if (around) around.index++;
    } else if (token === "]" || token === "}") open.pop();
    else if (token.endsWith(":")) {
      name = `${around?.path}.${JSON.parse(token.slice(0, -1))}`;
      if (member !== undefined && name === `${path}.${member}`) return index;
    } else {
      const here = around?.isList ? `${around.path}[${around.index}]` : name;
      if (member === undefined && here === path) return index;
      if (token === "{" || token === "[") open.push({ path: here, isList: token === "[", index: 0 });
    }
  }
  return 0;
}
