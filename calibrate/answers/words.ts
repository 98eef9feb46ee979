/** Replaces a text. */
export const notKept = "…";

/** Names of states, in any case. Another text in lower case could be private. */
const stateWords = new Set(
  (
    "pending failed succeeded signed unsigned not_signed sent resent created new open opened waiting awaiting awaiting_signature viewed delivered " +
    "invited requested required draft declined rejected expired cancelled canceled voided completed complete incomplete " +
    "started not_started in_progress processing processed outstanding unpaid paid refunded returned settled authorized captured initiated " +
    "submitted approved scheduled held none unknown active inactive closed ready queued error"
  ).split(" "),
);

/** Returns the name of a state: a common one, or one in capitals, such as `CLOSED`; `…` for any other text. */
export function stateWord(value: unknown): string {
  if (typeof value !== "string") return notKept;
  const isKnown = stateWords.has(value.toLowerCase().replace(/[ -]/g, "_"));
  return isKnown || isCapitalWord(value) ? value : notKept;
}

export function isCapitalWord(value: unknown): value is string {
  return typeof value === "string" && /^[A-Z][A-Z_ ]{0,39}$/.test(value);
}
