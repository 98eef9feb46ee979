import type { Instant } from "../model/instant.ts";
import type { Key } from "../model/resources.ts";

export type KeyStatus = "active" | "revoked";

/** Whether a key serves at an instant: from its `revoke_date` on it is revoked. */
export function keyStatus(key: Key, now: Instant): KeyStatus {
  return key.revoke_date !== null && key.revoke_date <= now ? "revoked" : "active";
}
