import type { KeyDescription, OfferingDescription } from "../control.ts";
import { ControlError } from "../errors/control-error.ts";
import type { KeyType } from "../model/vocabulary.ts";

/** The offerings and keys that an environment was opened with. */
export interface Opened {
  readonly offerings: readonly Pick<OfferingDescription, "id">[];
  readonly keys: readonly Pick<KeyDescription, "type" | "offering_id" | "status" | "key">[];
}

/** Returns the secret of the first active key of a type for the first offering; undefined if there is none. */
export function firstSecret({ keys, offerings }: Opened, type: KeyType): string | undefined {
  const [offering] = offerings;
  return keys.find((key) => key.type === type && key.offering_id === offering?.id && key.status === "active")?.key;
}

/** Like `firstSecret`, but throws ControlError if there is none: a test without a key would test nothing. */
export function expectFirstSecret(opened: Opened, type: KeyType): string {
  const secret = firstSecret(opened, type);
  if (secret !== undefined) return secret;
  throw new ControlError("not_found", `The first offering was opened without a ${type} key that serves; issue one.`);
}

/** Throws ControlError if there is none. */
export function expectFirstOffering([offering]: readonly OfferingDescription[]): OfferingDescription {
  if (offering) return offering;
  throw new ControlError("not_found", "The fixture has no offerings.");
}
