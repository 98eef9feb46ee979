import { z } from "zod";
import { uuid } from "../../model/schema/values.ts";

/** A reference to a resource, by type and id. */
export function reference<Type extends string>(type: Type) {
  return z.strictObject({ type: z.literal(type), id: uuid });
}

/** A resource with `attributes`. */
export function resource<Type extends string, Attributes extends z.ZodType>(type: Type, attributes: Attributes) {
  return z.strictObject({ type: z.literal(type), id: uuid, attributes });
}
