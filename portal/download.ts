import { snapshotOf } from "./server/api.ts";
import { realTime } from "./server/state.ts";

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

/** `investments-default-CLOSED-ada.csv`, from words that describe the content; empty words are left out. */
export function fileName(words: readonly string[], ending: "csv" | "json"): string {
  const parts = words.filter(Boolean).map((word) => word.replaceAll(/[^\w.@-]+/g, "-"));
  return `${parts.join("-").slice(0, 120)}.${ending}`;
}

/**
 * Saves an environment in a file that says when: `snapshot-default.json`, or `snapshot-default-17.json` for its request
 * 17.
 */
export async function saveSnapshot(environment: string, request = ""): Promise<void> {
  const snapshot = await snapshotOf(environment);
  // The snapshot is not parsed, which would block the page: the member is added in front of the first one.
  const saved = `{"saved_at":"${new Date(realTime.peek()).toISOString()}",`;
  download(fileName(["snapshot", environment, request], "json"), new Blob([saved, snapshot.slice(1)]));
}
