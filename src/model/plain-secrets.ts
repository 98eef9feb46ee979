/** What stands in place of what could be a secret, or is one. */
export const hidden = "…";

/** What words, ids, numbers and dates can be made of. */
const plain = /^(?:\D*|[\da-f-]*|[\dTZ:.+-]*)$/i;

/** The secrets that look like words, ids, numbers or dates: none but these could be in a text that is made of such. */
export class PlainSecrets {
  readonly #secrets = new Set<string>();

  /** Takes note of a secret, if it looks like that. */
  add(secret: string): void {
    if (secret.split("/").every((piece) => plain.test(piece))) this.#secrets.add(secret);
  }

  delete(secret: string): void {
    this.#secrets.delete(secret);
  }

  /** A text without these secrets. */
  conceal(text: string): string {
    let concealed = text;
    for (const secret of this.#secrets) concealed = concealed.replaceAll(secret, hidden);
    return concealed;
  }
}
