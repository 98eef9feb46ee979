/** The members and positions that lead from a file's top to a value in it. */
export type Path = readonly (string | number)[];

/** Something found in a file or a document that a person should know of. */
export interface Finding {
  readonly path: Path;
  /** Where the finger points: at a value, or at a member's name. Of a value that is missing: where it should be. */
  readonly at: "value" | "name";
  /** What was wrong, what was expected, the nearest valid thing; never with the text of a key. */
  readonly message: string;
}

/** A finding about the value at a path. The message begins with the path; `whole` names the top. */
export function about(path: Path, message: string, whole?: string): Finding {
  return { path, at: "value", message: `${pathText(path, whole)} ${message}` };
}

/** A finding about a value that the specification does not show; `shown` are those that it does. */
export function unseen(path: Path, value: string, shown: string): Finding {
  const said = JSON.stringify(value.slice(0, 60));
  return about(path, `is ${said}, which the specification does not show; it shows ${shown}.`);
}

/** A path in words: `offerings[0].investments[2].amount`; the top is called `whole`. */
export function pathText(path: Path, whole = "the whole"): string {
  if (path.length === 0) return whole;
  return path
    .map((segment) => (typeof segment === "number" ? `[${segment}]` : `.${segment}`))
    .join("")
    .replace(/^\./, "");
}
