/** Saves a value as a JSON file, or bytes as they are. */
export function download(name: string, value: unknown): void {
  const bytes =
    value instanceof Blob ? value : new Blob([JSON.stringify(value, null, 2)], { type: "application/json" });
  const address = URL.createObjectURL(bytes);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** `investments-default-CLOSED-ada.csv`, from words that describe the content; empty words are omitted. */
export function fileName(words: readonly string[], ending: "csv" | "json"): string {
  const name = words.filter(Boolean).join("-");
  return `${name.replaceAll(/[^\w.@-]+/g, "-").slice(0, 120)}.${ending}`;
}
