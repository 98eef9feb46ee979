import { hash } from "node:crypto";

/**
 * Headers that stop a browser from running a body as a script on the portal's origin, since anybody may have written
 * it. JSON needs none: browsers never run it.
 */
export function inertHeaders(mediaType: string): Readonly<Record<string, string>> {
  return /^[^;]*[/+]json *(?:;|$)/i.test(mediaType) ? {} : inert;
}

const inert = { "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox; default-src 'none'" };

/** The digest of a body, as the journal keeps it: the first 16 hexadecimal digits of its SHA-256. */
export function digestOf(body: string | Uint8Array): string {
  return hash("sha256", body).slice(0, 16);
}

/** The size of a JSON text, counted without parsing it. */
interface JsonSize {
  /** The nesting of lists and objects. */
  readonly depth: number;
  /** Items and members, and one more for every list and object. */
  readonly values: number;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Measures a JSON text, up to the first excess over a bound. For malformed JSON, the size is an estimate. */
export function measureJson(text: string, maxValues = Infinity, maxDepth = Infinity): JsonSize {
  let [depth, deepest, values] = [0, 0, 1];
  for (let at = 0; at < text.length && values <= maxValues && deepest <= maxDepth; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case comma:
        values++;
        break;
      case openList:
      case openObject:
        values++;
        depth++;
        if (depth > deepest) deepest = depth;
        break;
      case closeList:
      case closeObject:
        depth--;
        break;
      default:
    }
  }
  return { depth: deepest, values };
}

/** Returns the position of the closing quotation mark; without one, the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let before = index - 1;
  while (text.charCodeAt(before) === backslash) before--;
  return (index - before) % 2 === 0;
}
