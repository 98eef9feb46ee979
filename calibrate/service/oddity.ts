import { isMembers } from "../../src/model/members.ts";
import type { Shape } from "../answers/shape.ts";
import { typeDifferences, typesAt } from "../answers/types.ts";

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

/** Returns how an answer is not as an earlier one to the same request was, apart from other data; undefined if it is. */
export function changeIn(before: Shape, now: Shape, { searchParams }: URL): string | undefined {
  if (now.status !== before.status) return String(now.status);
  if (now.mediaType !== before.mediaType) return "another Content-Type";
  if (now.subject !== before.subject) return anotherResource;
  const [was, is] = [before.list, now.list];
  if (was && is) {
    const size = Number(searchParams.get("size"));
    if (was.count > 0 && is.count === 0) return "an empty list";
    if (was.count <= size && is.count > size) return "more items than it asked for";
    if (was.wellFormed && !is.wellFormed) return "items of another form";
    // Other items may have other members.
    return Object.keys(before.types ?? {}).join() === Object.keys(now.types ?? {}).join() ? undefined : anotherForm;
  }
  const isComparable = before.isWhole && now.isWhole;
  const differences = isComparable ? typeDifferences(before.types ?? "text", now.types ?? "text") : [];
  return differences.length > 0 ? anotherForm : undefined;
}

const anotherForm = "a document of another form";
