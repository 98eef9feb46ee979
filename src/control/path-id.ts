import { ControlError } from "../errors/control-error.ts";
import { idOf } from "../validation/members.ts";
import { quoted } from "../text/text.ts";

/** Maximum length of an id: a request with a longer id might not reach a sandbox. */
const maxIdLength = 1000;

/** Returns an id for a segment of a path. Throws ControlError for an id that no resource can have. */
export function checkPathId(id: unknown): string {
  const text = idOf(id);
  if (text.length > maxIdLength)
    throw new ControlError("not_found", `Nothing has an id of ${text.length.toLocaleString("en")} characters.`);
  // As a segment, each of these three would lead to another path.
  if (["", ".", ".."].includes(text) || /\p{Surrogate}/u.test(text))
    throw new ControlError("not_found", `Nothing has the id ${quoted(text)}.`);
  return text;
}
