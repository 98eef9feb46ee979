import { keptInTab } from "../preferences.ts";

/** The token of this tab, until it is closed; empty where none is asked for. */
export const token = keptInTab("token", "");

/**
 * Takes the token of `#token=…`, or of `#token=…&/default/keys`, out of the address, so that it gets into no history, no
 * bookmark and no link.
 */
export function takeFromAddress(): void {
  const [, given, route = ""] = /^#token=(.+?)(?:&(\/.*))?$/.exec(location.hash) ?? [];
  if (given === undefined) return;
  history.replaceState(null, "", location.pathname + location.search + (route && `#${route}`));
  try {
    token.value = decodeURIComponent(given);
  } catch {
    token.value = given;
  }
}
