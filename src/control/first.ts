import type { KeyDescription, OfferingDescription } from "../control.ts";
import { ControlError } from "../errors/control-error.ts";
import type { KeyType } from "../model/key-type.ts";

/** What an environment had when it was opened. */
export interface Opened {
  readonly offerings: readonly Pick<OfferingDescription, "id">[];
  readonly keys: readonly Pick<KeyDescription, "type" | "offering_id" | "status" | "key">[];
}

/** The secret of the first key of a type that served the first offering; undefined where there was none. */
export function firstSecret({ keys, offerings }: Opened, type: KeyType): string | undefined {
  const [offering] = offerings;
  return keys.find((key) => key.type === type && key.offering_id === offering?.id && key.status === "active")?.key;
}

/** As `firstSecret`. Throws ControlError where there was none: a test that asks with nothing would test nothing. */
export function expectFirstSecret(opened: Opened, type: KeyType): string {
  const secret = firstSecret(opened, type);
  if (secret !== undefined) return secret;
  throw new ControlError("not_found", `The first offering was opened without a ${type} key that serves; issue one.`);
}

/** The first offering. Throws ControlError where there was none. */
export function expectFirstOffering([offering]: readonly OfferingDescription[]): OfferingDescription {
  if (offering) return offering;
  throw new ControlError("not_found", "The fixture has no offerings.");
}
