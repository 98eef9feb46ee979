import { tabSignal } from "../preferences.ts";

/** The token of this tab, until it is closed; empty where none is asked for. */
export const token = tabSignal("token", "");

/**
 * Takes the token of `#token=…`, or of `#token=…&/default/keys`, out of the address: it gets into no history, no
 */
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
