import { hash } from "node:crypto";
import { jsonPieces } from "../../src/text/json-text.ts";

/** Computes the checksum of a snapshot's members, independent of their order. */
export function checksumOf(value: unknown): string {
  return hash("sha256", [...jsonPieces(value, true)].join(""), "base64url");
}
