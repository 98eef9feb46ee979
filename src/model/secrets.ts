import { bounds } from "./bounds.ts";

/** Replaces every secret and possible secret. */
export const hidden = "…";

/** The form of issued keys and tokens, in any case. */
export const issuedForm = /sandbox_(?:(?:marketing|partner)_\w+|(?:admin|view)_[\w-]+)/gi;

/** A value as a query has it: a space is a plus, and signs that end no value stay legible. */
export function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd"))
    .replaceAll("%20", "+")
    .replaceAll(/%(?:2C|2F|3A|3D|40|5B|5D)/g, decodeURIComponent);
}

/** In the name of a parameter, or before a colon or an equals sign: a secret follows, even a number. */
const secretName = /token|secret|passw|pwd|key|auth|bearer|credential|session|cookie|jwt|^sig(?:nature)?$|^otp$|^pin$/i;

/** Whether a parameter of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Longer texts may hold a secret anywhere; in characters of a URL. */
const longest = 100;

const ids = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;

/** Numbers, and dates in whatever form. */
const numbers = /^[\dTZ:.,+/ -]*$/i;

const credentials = /\b(?:basic|bearer|digest|negotiate|oauth|token|api-?key|jwt)[\s+]+\S|\/\/[^/\s]*@/i;

const mixed = /(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)/i;

/**
 * Whether a text looks like a key, or has one in it: ten digits, sixteen characters without a space of which a digit is next
 * to a letter, twenty-five letters, credentials after a scheme or a name. Ids, dates and words do not. A text encoded twice
 * counts as what it stands for.
 */
export function looksSecret(text: string): boolean {
  if (encoded(text).length > longest) return true;
  const rest = text.replace(ids, "");
  const decoded = new URLSearchParams(`=${rest.replace(/[+&]/g, encodeURIComponent)}`).get("") ?? "";
  if (decoded !== rest) return looksSecret(decoded);
  if (/\d{10}/.test(rest)) return true;
  if (numbers.test(rest)) return false;
  const names = rest.match(/[\w-]+(?=["'\]\s]*[:=])/g) ?? [];
  if (credentials.test(rest) || names.some(isSecretName)) return true;
  if (/[a-z]{25}/i.test(rest)) return true;
  const runs = rest.match(/[\w.~+/ -]{16,}/g) ?? [];
  // A plus that was sent as it is has become a space.
  return runs.some((run) => run.split(mixed).length > (/[^ ]{16}/.test(run) ? 1 : 2));
}

/** A message without those of its quoted values and numbers that look like a key. */
export function withoutLookalikes(message: string): string {
  return message.replaceAll(/"((?:[^"\\]|\\.)*)"|\d{10,}/g, (part, value: string = part) =>
    looksSecret(value) ? part.replace(value, hidden) : part,
  );
}

const keyMembers: ReadonlySet<unknown> = new Set(["keys", "key", "key_id"]);

/** Whether a member of a file or a body may hold the text of a key. */
export function isKeyMember(name: unknown): boolean {
  return keyMembers.has(name);
}

/** Whether a line of a file has a text in it that may be a key: eight characters or more, no name, no word of the service. */
export function mayHoldKey(line: string): boolean {
  const rest = line.replaceAll(/\b(?:marketing|offerings|investments)\b/g, "");
  return Array.from(rest.matchAll(/([\w.~+/-]+)(["']?:)?/g)).some(([, text = "", colon]) => !colon && text.length >= 8);
}

/** Whether a key has the issued form, and so opens nothing but a sandbox. */
export function isIssued(secret: string): boolean {
  return secret.replace(issuedForm, "") === "";
}

/** A text of the same length: a key in upper case is easily restored. */
function inLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Limits of the redacted texts that are kept: their number, and characters of each. */
const [keptTexts, keptLength] = [1000, 400];

/** The keys of a server and its own tokens, which log, journal and errors leave out. */
export class Secrets {
  /** Those of another form than the issued one, each as texts have it, in lower case. */
  readonly #others = new Map<string, ReadonlySet<string>>();
  /** Texts and what is left of them: most requests have a path and names that were redacted before. */
  readonly #redacted = new Map<string, string>();

  add(secret: string): void {
    if (isIssued(secret)) return;
    // A path has what was sent: the secret as it is, encoded, or encoded twice. A message has the beginning of a long one.
    const sent = [secret.replaceAll("+", " "), secret, encodeURIComponent(secret)];
    this.#redacted.clear();
    const forms = [secret, ...sent.map(encoded), secret.slice(0, bounds.quoted)];
    this.#others.set(secret, new Set(forms.map(inLowerCase)));
  }

  delete(secret: string): void {
    if (this.#others.delete(secret)) this.#redacted.clear();
  }

  /** Replaces all secrets in a text, also overlapping ones, and everything of the issued form. */
  redact(text: string): string {
    let redacted = this.#redacted.get(text);
    if (redacted !== undefined) return redacted;
    redacted = this.#withoutSecrets(text);
    if (this.#redacted.size === keptTexts) this.#redacted.clear();
    if (text.length <= keptLength) this.#redacted.set(text, redacted);
    return redacted;
  }

  #withoutSecrets(text: string): string {
    const spans: [from: number, to: number][] = [];
    const lower = this.#others.size > 0 ? inLowerCase(text) : text;
    for (const forms of this.#others.values()) {
      for (const form of forms) {
        for (let at = lower.indexOf(form); at !== -1; at = lower.indexOf(form, at + 1))
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
