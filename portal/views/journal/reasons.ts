import type { JournalEntry } from "../../../src/control.ts";
import { withNames } from "../../server/names.ts";

/** For each error code of the service: its cause in a sentence, and a remedy; docs/errors.md has all of them. */
export const reasons: Readonly<Record<string, readonly [cause: string, remedy: string]>> = {
  key_missing: ["The call had no key.", "Send the header Authorization: Bearer and a key."],
  key_malformed: ["The header Authorization is not Bearer and one key.", "Look for a missing space or a second word."],
  key_unknown: ["This key was never issued here.", "Take one of this environment; another environment has others."],
  key_revoked: ["The key is revoked.", "Use another, or set the clock to before its end."],
  offering_forbidden: ["The key is for another offering.", "Use a key of the offering in the path."],
  investment_not_found: [
    "There is no such investment for this key.",
    "Check the id, and whether the key is for the investment's offering.",
  ],
  path_not_found: ["There is no such path.", "A slash at the end matters; the API page has all paths."],
  page_not_found: ["The page is after the last one.", "Stop at the last page."],
  method_not_allowed: ["The service is read-only.", "Use GET or HEAD."],
  parameter_invalid: ["A parameter is invalid.", "Send the values that are named here, or leave it out."],
  rate_limit_exceeded: [
    "The key has used up its requests of this minute.",
    "Wait as Retry-After says, or clear the limit.",
  ],
  body_too_large: ["The body of the request is too large.", "Send none: the service reads no body."],
  internal_error: ["The sandbox has failed.", "Its log says why. Please report it."],
};

/** Returns in one line why a request failed, or its first hint; the cause of the status comes first. */
export function reasonOf({ hints, code, fault_id }: JournalEntry): string | undefined {
  const fault = fault_id === null || code !== null ? [] : [`met ${fault_id}`];
  const [first = code === null ? undefined : (reasons[code]?.[0] ?? code), ...others] = [...fault, ...hints];
  return first && withNames(first) + (others.length > 0 ? `, and ${others.length} more` : "");
}
