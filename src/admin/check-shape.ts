import type { AdminOperation } from "../control/operations.ts";
import { HttpError } from "../errors/http-error.ts";
import { isMembers } from "../model/members.ts";
import { Mistake } from "../model/mistake.ts";

/** The body of a call, when it has the shape that the call takes. Throws HttpError with all that is wrong. */
export async function checkShape({ body: name }: AdminOperation, given: unknown): Promise<unknown> {
  if (name === undefined) {
    if (isMembers(given) && Object.keys(given).length === 0) return undefined;
    throw new HttpError("invalid", { detail: "This call takes no body." });
  }
  const [{ bodies }, { parseShape }] = await Promise.all([
    import("../control/bodies.ts"),
    import("../model/parse-shape.ts"),
  ]);
  const shape = bodies[name];
  if (!("whole" in shape)) return given;
  try {
    return parseShape(shape.schema, given, shape.whole);
  } catch (error) {
    throw error instanceof Mistake ? new HttpError("invalid", { detail: error.message }) : error;
  }
}
