import { createHash } from "node:crypto";

/** A checksum of plain data, the same whatever the order of its members. */
export function checksumOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, inOrder)).digest("base64url");
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
