import { Mistake } from "../model/mistakes.ts";
import { didYouMean, quoted } from "../model/text.ts";
import { behaviours } from "./catalogue.ts";
import { risks } from "./risks.ts";

/** Reasons for behaviours and risks that do not count, by their ids. */
export type Exceptions = Readonly<Record<string, string>>;

/** Throws Mistake for an unknown id, with the nearest. */
export function checkExceptions(exceptions: Exceptions): void {
  const ids = [...behaviours, ...risks].map(({ id }) => id);
  for (const id of Object.keys(exceptions)) {
    if (ids.includes(id)) continue;
    throw new Mistake(`coverage.except: there is no behaviour and no risk ${quoted(id)}.${didYouMean(id, ids)}`);
  }
}
