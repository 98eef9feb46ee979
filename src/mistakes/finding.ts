import { allOf, clipped, didYouMean, quoted } from "../text/text.ts";

/** The names and positions that lead from the top of a file to a value. */
export type Path = readonly (string | number)[];

/** A mistake or a warning about a value in a file or a document. */
export interface Finding {
  readonly path: Path;
  /** Points at the value or at the member's name; a missing value is reported at its parent. */
  readonly at: "value" | "name";
  /**
   * The mistake, the expected value and the nearest valid one; never the secret of a key. It is written at each read,
   * so of very many findings, read only some.
   */
  readonly message: string;
}

/** Creates a finding whose message is only written when it is read, because of very many findings few are read. */
export function finding(path: Path, at: Finding["at"], message: () => string): Finding {
  return {
    path,
    at,
    get message() {
      return message();
    },
  };
}

/** Creates a finding about the value at a path. The message begins with the path, or with `whole` if that is empty. */
export function findingAt(path: Path, message: string | (() => string), whole?: string): Finding {
  const write = typeof message === "string" ? () => message : message;
  return finding(path, "value", () => `${pathText(path, whole)} ${write()}`);
}

/** Creates a warning about a value that the specification does not show; `shown` lists the values that it shows. */
export function notInSpecification(path: Path, value: string, shown: readonly string[]): Finding {
  const message = (): string => `is ${quoted(value)}, which the specification does not show; it shows ${allOf(shown)}.`;
  return findingAt(path, () => message() + didYouMean(value, shown));
}

/** Writes a path as `offerings[0].investments[2].amount`, and an empty path as the text in `whole`. */
export function pathText(path: Path, whole = "the whole"): string {
  if (path.length === 0) return whole;
  return path
    .map((segment) => (typeof segment === "number" ? `[${segment}]` : `.${clipped(segment)}`))
    .join("")
    .replace(/^\./, "");
}
