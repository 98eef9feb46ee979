import { parseShape } from "../model/shape-mistakes.ts";
import { bodies, type BodyValue } from "./bodies.ts";

/** The bodies that are checked before their command. */
export type CheckedName = {
  [Name in keyof typeof bodies]: (typeof bodies)[Name] extends { whole: string } ? Name : never;
}[keyof typeof bodies];

/** Returns a body in the shape that its command takes. Throws Mistake with every unknown member and wrong type. */
export function checkedBody<Name extends CheckedName>(name: Name, body: unknown): BodyValue<Name> {
  const { schema, whole } = bodies[name];
  return parseShape(schema, body, whole) as BodyValue<Name>;
}
