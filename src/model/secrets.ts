import { inputLimits } from "./bounds.ts";

/** Replaces every secret and possible secret. */
export const hidden = "…";

/** The form of issued keys and tokens, in any case. */
export const issuedForm = /sandbox_(?:(?:marketing|partner)_\w+|(?:admin|view)_[\w-]+)/gi;

/** Encodes a value for a query: a space becomes a plus, and characters that do not end a value stay legible. */
export function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd"))
    .replaceAll("%20", "+")
    .replaceAll(/%(?:2C|2F|3A|3D|40|5B|5D)/g, decodeURIComponent);
}

/** A word that announces a secret, even a numeric one, in the name of a parameter or before a colon or equals sign. */
const secretName = /token|secret|passw|pwd|key|auth|bearer|credential|session|cookie|jwt|^sig(?:nature)?$|^otp$|^pin$/i;

/** Whether a parameter of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Longer texts, in characters of a URL, may hold a secret anywhere. */
const maxPlainLength = 100;

const idPattern = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;

/** Numbers, and dates in any form. */
const numberPattern = /^[\dTZ:.,+/ -]*$/i;

const credentialPattern = /\b(?:basic|bearer|digest|negotiate|oauth|token|api-?key|jwt)[\s+]+\S|\/\/[^/\s]*@/i;

const mixed = /(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)/i;

/**
 * Whether a text looks like a key, or contains one: ten digits, sixteen characters without a space with a digit next to
 * a letter, twenty-five letters, or credentials after a scheme or a name. Ids, dates and words do not. A text encoded
 * twice counts as its decoded form.
 */
export function looksSecret(text: string): boolean {
  if (encoded(text).length > maxPlainLength) return true;
  const rest = text.replace(idPattern, "");
  const decoded = new URLSearchParams(`=${rest.replace(/[+&]/g, encodeURIComponent)}`).get("") ?? "";
  if (decoded !== rest) return looksSecret(decoded);
  if (/\d{10}/.test(rest)) return true;
  if (numberPattern.test(rest)) return false;
  const names = rest.match(/[\w-]+(?=["'\]\s]*[:=])/g) ?? [];
  if (credentialPattern.test(rest) || names.some(isSecretName)) return true;
  if (/[a-z]{25}/i.test(rest)) return true;
  const runs = rest.match(/[\w.~+/ -]{16,}/g) ?? [];
  // A plus that was sent unencoded has become a space.
  return runs.some((run) => run.split(mixed).length > (/[^ ]{16}/.test(run) ? 1 : 2));
}

/** Removes quoted values that look like a key from a message, and by default numbers too. */
export function withoutLookalikes(message: string, parts = /"((?:[^"\\]|\\.)*)"|\d{10,}/g): string {
  return message.replaceAll(parts, (part, value: string = part) =>
    looksSecret(value) ? part.replace(value, hidden) : part,
  );
}

/** What a message repeats of a body: quoted values, long numbers, and the end of a path to a member. */
const repeatedParts = /"((?:[^"\\]|\\.)*)"|(?<=\bis )\d{15,}|(?<=^[^\s"]*\.)[^\s"]{15,}(?= (?:is|has|needs) )/gm;

/** Removes everything like a key from an answer that may repeat the request. Other numbers may be our own bounds. */
export function withoutPastedKeys(message: string): string {
  return withoutLookalikes(message, repeatedParts);
}

const keyMembers: ReadonlySet<unknown> = new Set(["keys", "key", "key_id"]);

/** Whether a member of a file or a body may hold the secret of a key. */
export function isKeyMember(name: unknown): boolean {
  return keyMembers.has(name);
}

/**
 * Whether a line of a file contains a text that may be a key: at least eight characters, neither a name nor a word of
 * the service.
 */
export function mayHoldKey(line: string): boolean {
  const rest = line.replaceAll(/\b(?:marketing|offerings|investments)\b/g, "");
  return Array.from(rest.matchAll(/([\w.~+/-]+)(["']?:)?/g)).some(([, text = "", colon]) => !colon && text.length >= 8);
}

/** Whether a key has the issued form, and so only opens a sandbox. */
export function isIssued(secret: string): boolean {
  return secret.replace(issuedForm, "") === "";
}

/** Lowers the case without changing the length: a key in upper case would be easy to restore. */
function inLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Limits of the cached redacted texts: their number, and the characters of each. */
const [keptTexts, keptLength] = [1000, 400];

/** The keys and tokens of a server, which must not appear in log, journal and errors. */
export class Secrets {
  /** Secrets of another form than the issued one, each as texts may contain it, in lower case. */
  readonly #others = new Map<string, ReadonlySet<string>>();
  /** Texts with their redacted forms: most requests repeat a path and names that were redacted before. */
  readonly #redacted = new Map<string, string>();

  add(secret: string): void {
    if (isIssued(secret)) return;
    // A path contains the secret as it is, encoded, or encoded twice. A message contains the beginning of a long one.
    const sent = [secret.replaceAll("+", " "), secret, encodeURIComponent(secret)];
    this.#redacted.clear();
    const forms = [secret, ...sent.map(encoded), secret.slice(0, inputLimits.quoted)];
    this.#others.set(secret, new Set(forms.map(inLowerCase)));
  }

  delete(secret: string): void {
    if (this.#others.delete(secret)) this.#redacted.clear();
  }

  /** Replaces all secrets in a text, also overlapping ones, and every text of the issued form. */
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
