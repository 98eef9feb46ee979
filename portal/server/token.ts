import { computed, signal } from "@preact/signals";
import { tabSignal } from "../preferences.ts";

/** The token of this tab, until it is closed; empty where none is asked for. */
export const token = tabSignal("token", "");

const named = computed(() => /^sandbox_(admin|view)_(.+)_[\da-f]{32}$/.exec(token.value));

/** The environment that the token is for, and no other; undefined where it is for all. */
export const ownId = computed(() => named.value?.[2]);

/** True once the server has asked for a token, until one was accepted. */
export const locked = signal(false);

/** False with a token that is only for looking: buttons, switches, instants and the timeline ask it, views do not. */
export const mayChange = computed(() => named.value?.[1] !== "view" || locked.value);

/** Takes the token of `#token=…`, or of `#token=…&/default/keys`, out of the address, and so out of the history. */
export function takeFromAddress(): void {
  const [, text, route = ""] = /^#token=(.+?)(?:&(\/.*))?$/.exec(location.hash) ?? [];
  if (text === undefined) return;
  history.replaceState(null, "", location.pathname + location.search + (route && `#${route}`));
  try {
    token.value = decodeURIComponent(text);
  } catch {
    token.value = text;
  }
}
