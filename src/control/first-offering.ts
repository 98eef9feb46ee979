import type { OfferingDescription } from "../control.ts";
import { ControlError } from "../errors/control-error.ts";
import type { KeyType } from "../model/vocabulary.ts";

/** Throws ControlError if there is none: a test without a key would test nothing. */
export function expectSecret(secret: string | null, type: KeyType): string {
  if (secret !== null) return secret;
  throw new ControlError("not_found", `The first offering was opened without a ${type} key that serves; issue one.`);
}

/** Throws ControlError if there is none. */
export function expectFirstOffering([offering]: readonly OfferingDescription[]): OfferingDescription {
  if (offering) return offering;
  throw new ControlError("not_found", "The fixture has no offerings.");
}
