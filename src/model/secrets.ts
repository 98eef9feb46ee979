import { bounds } from "./bounds.ts";

/** Replaces every secret and possible secret. */
export const hidden = "…";

/** The form of issued secrets. It ignores case: a key in upper case is easily restored. */
export const issuedForm = /sandbox_(?:marketing|partner)_\w+/gi;

/** A number or a date as a query has it: a plus would be a space there. */
export function encoded(text: string): string {
  return text.replaceAll("+", "%2B").replaceAll(" ", "+");
}

const keyMembers: ReadonlySet<unknown> = new Set(["keys", "key", "key_id"]);

/** Whether a member of a file or a body may hold the text of a key. */
export function isKeyMember(name: unknown): boolean {
  return keyMembers.has(name);
}

/** The keys of a server and its admin token, which log, journal and errors leave out. */
export class Secrets {
  /** Those of another form than the issued one. */
  readonly #others = new Set<string>();

  add(secret: string): void {
    if (secret.replace(issuedForm, "") !== "") this.#others.add(secret);
  }

  delete(secret: string): void {
    this.#others.delete(secret);
  }

  /** Replaces all secrets in a text, also overlapping ones, and everything of the issued form. */
  redact(text: string): string {
    const spans: [from: number, to: number][] = [];
    for (const secret of this.#others) {
      // A path has it encoded, and a message the beginning alone of a long one.
      for (const form of new Set([secret, encoded(secret), secret.slice(0, bounds.quoted)])) {
        for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1))
          spans.push([at, at + form.length]);
      }
    }
    let [redacted, end] = ["", 0];
    for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
      if (from >= end) redacted += text.slice(end, from) + hidden;
      end = Math.max(end, to);
    }
    return (redacted + text.slice(end)).replace(issuedForm, hidden);
  }
}
