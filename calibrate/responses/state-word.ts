/** The replacement of a string that could be private. */
export const omittedText = "…";

/** Common names of states; upper and lower case are the same. Any other lower-case string could be private. */
const stateWords = new Set(
  (
    "pending failed succeeded signed unsigned not_signed sent resent created new open opened waiting awaiting awaiting_signature viewed delivered " +
    "invited requested required draft declined rejected expired cancelled canceled voided completed complete incomplete " +
    "started not_started in_progress processing processed outstanding unpaid paid refunded returned settled authorized captured initiated " +
    // oxlint-disable-next-line words/vocabulary -- a state of real services
    "submitted approved scheduled held none unknown active inactive closed ready queued error"
  ).split(" "),
);

/** Returns the value if it is a common name of a state or a word in capitals, such as `CLOSED`; otherwise `…`. */
export function stateWord(value: unknown): string {
  if (typeof value !== "string") return omittedText;
  const isKnown = stateWords.has(value.toLowerCase().replace(/[ -]/g, "_"));
  return isKnown || isCapitalWord(value) ? value : omittedText;
}

export function isCapitalWord(value: unknown): value is string {
  return typeof value === "string" && /^[A-Z][A-Z_ ]{0,39}$/.test(value);
}
