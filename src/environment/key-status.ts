import type { Instant } from "../model/instant.ts";
import type { Key } from "../model/resources.ts";

/** Whether a key serves at an instant: from its `revoke_date` on it is revoked. */
export function keyStatus(key: Key, now: Instant): "active" | "revoked" {
  return key.revoke_date !== null && key.revoke_date <= now ? "revoked" : "active";
}
