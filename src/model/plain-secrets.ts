/** Replaces anything that is or could be a secret. */
export const hidden = "…";

/** Words, ids, numbers, dates and the parts of our own paths. */
const plain = /^(?:\D*|[\da-f-]*|[\dTZB:., +%-]*|v1)$/i;

/** The form of the secrets that are issued, in any case: a key in upper case is soon put back. */
export const issuedForm = /sandbox_(?:marketing|partner)_\w+/gi;

/** A number or a date as a query has it: a plus would be a space there. */
export function encoded(text: string): string {
  return text.replaceAll("+", "%2B").replaceAll(" ", "+");
}

/** Separates these in a path and query. */
const separator = /[/?&=]/;

/** The secrets that look like words, ids, numbers or dates: printable text can contain no others. */
export class PlainSecrets {
  readonly #secrets = new Set<string>();

  /** Keeps the secret if it looks like one of these. */
  add(secret: string): void {
    if (secret.split(separator).every((piece) => plain.test(piece))) this.#secrets.add(secret);
  }

  delete(secret: string): void {
    this.#secrets.delete(secret);
  }

  /** Replaces these secrets in a text, also where they overlap. */
  conceal(text: string): string {
    const spans: [from: number, to: number][] = [];
    for (const secret of Array.from(this.#secrets, (one) => [one, encoded(one)]).flat()) {
      for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
        spans.push([at, at + secret.length]);
      }
    }
    if (spans.length === 0) return text;
    let [concealed, end] = ["", 0];
    for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
      if (from >= end) concealed += text.slice(end, from) + hidden;
      end = Math.max(end, to);
    }
    return concealed + text.slice(end);
  }
}
