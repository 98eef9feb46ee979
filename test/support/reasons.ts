/** Returns the first lines of a file that say why it exists, each with `#`. Throws if there is none. */
export function reasonsOf(text: string): string[] {
  const [reasons = ""] = /^(?:# .+\n)*/.exec(text) ?? [];
  if (reasons !== "") return reasons.trimEnd().split("\n");
  throw new Error(`Say above this, after a #, which error it would show:\n${text.slice(0, 300)}`);
}
