import { isMembers } from "../../src/model/members.ts";
import type { Shape } from "../answers/shape.ts";
import { typesAt } from "../answers/types.ts";

export const anotherResource = "another resource than it asked for";

/** True for a document with data of an id and a type, or of attributes. */
export function isOffering({ types }: Shape): boolean {
  const data = typesAt(types, "data");
  return isMembers(data) && (("id" in data && "type" in data) || isMembers(data["attributes"]));
}

/**
 * Returns how an answer to a usual question is not as every service gives it; undefined if it is.
 *
 * @param own the number of the id that was asked for; undefined for a list
 */
export function oddityIn(shape: Shape, holds: string, own: number | undefined): string | undefined {
  const { status, types, subject } = shape;
  if (status === 401 || status === 403) return `${status}, a refusal of the key`;
  if (status !== 200) return String(status);
  if (types === undefined) return "200 without JSON";
  if (subject !== undefined && subject !== own) return anotherResource;
  if (holds === "offering" && !isOffering(shape)) return "no offering";
  const isRight = Array.isArray(typesAt(types, "data")) === (holds === "list") && subject === own;
  return isRight ? undefined : "200 with another document";
}
