import type { Key } from "../model/resources.ts";
import type { Ledger } from "./ledger.ts";

/** What a key lets its holder see of persons (section 5.5). */
export interface Visibility {
  /** Personal data as held; otherwise redacted. */
  readonly personalData: boolean;
  readonly phoneNumber: boolean;
}

const marketing: Visibility = { personalData: false, phoneNumber: true };
const granted: Visibility = { personalData: true, phoneNumber: false };
const notGranted: Visibility = { personalData: false, phoneNumber: false };

/** What a key shows. */
export function visibilityOf(key: Key, ledger: Ledger): Visibility {
  if (key.type === "marketing") return marketing;
  return key.personal_data || ledger.value("auth.partner_data") === "granted" ? granted : notGranted;
}
