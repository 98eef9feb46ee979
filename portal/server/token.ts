import { signal } from "@preact/signals";

/** The token of this tab; empty where none is asked for. */
export const token = signal(read());

/** Keeps a token for this tab, until it is closed. */
export function keepToken(text: string): void {
  token.value = text;
  try {
    sessionStorage.setItem("token", text);
  } catch {
    // A browser that keeps nothing asks again after a reload.
  }
}

function read(): string {
  try {
    return sessionStorage.getItem("token") ?? "";
  } catch {
    return "";
  }
}

/**
 * Takes the token of `#token=…`, or of `#token=…&/default/keys`, out of the address, so that it gets into no history, no
 * bookmark and no link.
 */
export function takeFromAddress(): void {
  const [, given, route = ""] = /^#token=(.+?)(?:&(\/.*))?$/.exec(location.hash) ?? [];
  if (given === undefined) return;
  history.replaceState(null, "", location.pathname + location.search + (route && `#${route}`));
  try {
    keepToken(decodeURIComponent(given));
  } catch {
    keepToken(given);
  }
}
