/** What stands in place of what could be a secret, or is one. */
export const hidden = "…";

/** What words, ids, numbers and dates can be made of, and the parts of our own paths. */
const plain = /^(?:\D*|[\da-f-]*|[\dTZ:., +-]*|v1)$/i;

/** What stands between these in a path and query. */
const separator = /[/?&=]/;

/** The secrets that look like words, ids, numbers or dates: none but these could be in a text that is made of such. */
export class PlainSecrets {
  readonly #secrets = new Set<string>();

  /** Takes note of a secret, if it looks like that. */
  add(secret: string): void {
    if (secret.split(separator).every((piece) => plain.test(piece))) this.#secrets.add(secret);
  }

  delete(secret: string): void {
    this.#secrets.delete(secret);
  }

  /** A text without these secrets, also where they overlap. */
  conceal(text: string): string {
    const spans: [from: number, to: number][] = [];
    for (const secret of this.#secrets) {
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
