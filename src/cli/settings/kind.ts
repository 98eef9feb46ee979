/** What values of a setting look like, wherever they are written. */
export interface Kind<Value> {
  /** What stands for the value in help: `<number>`. Undefined for what is only switched on and off. */
  readonly placeholder: string | undefined;
  /** What is expected, for sentences: `a whole number from 0 to 65535`. */
  readonly expected: string;
  /** The value in a config file, as JSON Schema. */
  readonly schema: object;
  /** `list` and `map` may be given several times, and each adds to the value. */
  readonly shape: "one" | "list" | "map";
  /** The words that it takes, where it takes words. */
  readonly words: readonly string[];
  /** Reads a text; undefined where it is not as expected. May throw a Mistake that says more. */
  read(text: string): Value | undefined;
}

/** `"pretty" or "json"`. Written out, since loading Intl's lists takes a tenth of the time that a start may take. */
export function alternatives(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word}"`);
  return quoted.length < 3 ? quoted.join(" or ") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}
