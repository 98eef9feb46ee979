import { computed, signal } from "@preact/signals";
import { tabSignal } from "./preferences.ts";

/** The token of this tab, until the tab is closed; empty if none is required. */
export const token = tabSignal("token", "");

const tokenMatch = computed(() => /^sandbox_(admin|view)_(.+)_[\da-f]{32}$/.exec(token.value));

/** The only environment that the token is for; undefined if it is for all. */
export const tokenEnvironmentId = computed(() => tokenMatch.value?.[2]);

/** True from the server's first request for a token until a token is accepted. */
export const isLocked = signal(false);

/** False with a view token. Buttons, switches, instants and the timeline check it, so views need not. */
export const canEdit = computed(() => tokenMatch.value?.[1] !== "view" || isLocked.value);

/** Takes the token of `#token=…`, or of `#token=…&/default/keys`, out of the address, and so out of the history. */
export function takeTokenFromAddress(): void {
  const [, text, route = ""] = /^#token=(.+?)(?:&(\/.*))?$/.exec(location.hash) ?? [];
  if (text === undefined) return;
  history.replaceState(null, "", location.pathname + location.search + (route && `#${route}`));
  try {
    token.value = decodeURIComponent(text);
  } catch {
    token.value = text;
  }
}
