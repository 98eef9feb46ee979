import { inputLimits } from "../bounds/bounds.ts";

/** Replaces every secret and possible secret. */
export const hidden = "…";

/** The form of issued keys and tokens, in any case. */
export const issuedForm = /sandbox_(?:(?:marketing|partner)_\w+|(?:admin|view)_[\w-]+)/gi;

/** Encodes a value for a query: a space becomes a plus, and characters that do not end a value stay legible. */
export function encodeQuery(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd"))
    .replaceAll("%20", "+")
    .replaceAll(/%(?:2C|2F|3A|3D|40|5B|5D)/g, decodeURIComponent);
}

/** A word that announces a secret, even a numeric one, in the name of a parameter or before a colon or equals sign. */
const secretNamePattern =
  /token|secret|passw|pwd|key(?!words?$)|auth(?!ors?(?![a-z]))|bearer|credential|session|cookie|jwt|^sig(?:nature)?$|^otp$|^pin$/i;

/** Whether a parameter of this name has a secret value. */
export function isSecretName(name: string): boolean {
  return secretNamePattern.test(name);
}

/** Longer strings, in characters of a URL, may have a secret anywhere. */
const maxPlainLength = 200;

const idPattern = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;

/** Credentials after a scheme or before a host, and the beginnings by which vendors mark their keys. */
const credentialPattern =
  /\b(?:basic|bearer|digest|negotiate|oauth|token|api-?key|jwt)[\s+]+\S|\/\/[^/\s]*@|(?<![a-z\d])(?:[spr]k_(?:live|test)_|whsec_|gh[opsur]_|github_pat_|glpat-|xox[a-z]-|ya29\.|a[ks]ia[a-z\d]{8}|eyj[\w-]{6})/i;

/** Numbers, compact dates and versions. */
const numberPattern = /^(?:\d{1,15}|\d{8}T\d{4,9}Z?|v\d+(?:[a-z]{1,5}\d{0,3})?)$/i;

/** Letters that no long name has: six consonants, four vowels or three equal letters in a row. */
const unpronounceable = /[^aeiouy]{6}|[aeiouy]{4}|(.)\1\1/i;

/**
 * Whether letters and digits with nothing between them are a number, a version or a name, such as `listInvestmentsV2`:
 * digits at an end or before a capitalized word. Random strings have digits and capitals anywhere, and few vowels.
 */
function isNumberOrName(part: string): boolean {
  if (numberPattern.test(part)) return true;
  const isShort = part.length < 16;
  const pieces = part.match(/\d+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  const isName = pieces.every((piece, at) =>
    /\d/.test(piece)
      ? piece.length < 16 &&
        (at === pieces.length - 1 || (isShort && at === 0) || /^[A-Z][a-z]/.test(pieces[at + 1] ?? ""))
      : piece.length < 25,
  );
  const words = pieces.filter((piece) => /\D/.test(piece));
  const letters = words.join("");
  if (!isName || (words.length > 1 && letters.length < 3 * words.length)) return false;
  if (isShort) return true;
  const vowels = letters.replaceAll(/[^aeiouy]/gi, "").length;
  // One word in capitals is a name, or a part of one.
  if (words.length > 1 && words.filter((word) => /^[A-Z]+$/.test(word)).length > 1) return false;
  return !/^[\da-f]+$/i.test(part) && 4 * vowels >= letters.length && !words.some((word) => unpronounceable.test(word));
}

/** Returns the parts of a string that look random. A single such part may be an id. */
export function randomParts(text: string): string[] {
  return text
    .replace(idPattern, "")
    .split(/[^a-z\d]+/i)
    .filter((part) => part !== "" && !isNumberOrName(part));
}

/** The short name of a commit, as versions have it. */
const commitPattern = /^g?[\da-f]{7,12}$/i;

/** Whether at least this many characters of a run are random, apart from commits. */
function isRandom(run: string, minRandomCount: number): boolean {
  const randomInRun = randomParts(run);
  const weight = randomInRun.reduce((sum, part) => sum + (commitPattern.test(part) ? 0 : part.length), 0);
  const isLicense = randomInRun.length > 0 && /^(?:[a-z\d]{4,8}-){3,}[a-z\d]{4,8}$/i.test(run);
  return weight >= minRandomCount || isLicense || randomInRun.some(({ length }) => length >= 16);
}

/** Whether a string has sixteen characters or more in a row of which at least this many look random. */
export function looksRandom(text: string, minRandomCount = 7): boolean {
  const rest = text.replace(idPattern, "");
  const runs = rest.match(/[\w.~+/-]{16,}/g) ?? [];
  // A plus that was sent unencoded has become a space.
  const spacedRuns = rest.match(/[\w.~+/ -]{16,}/g) ?? [];
  return runs.some((run) => isRandom(run, minRandomCount)) || spacedRuns.some((run) => isRandom(run, 12));
}

/** Decodes a string of a URL once. */
export function decodeOnce(text: string): string {
  return new URLSearchParams(`=${text.replaceAll(/[+&]/g, encodeURIComponent)}`).get("") ?? "";
}

/** Whether a string looks like a key or contains one, as docs/decisions/secrets-never-reach-a-log.md defines. */
export function looksSecret(text: string): boolean {
  if (encodeQuery(text).length > maxPlainLength) return true;
  const rest = text.replace(idPattern, "");
  const decoded = decodeOnce(rest);
  if (decoded !== rest) return looksSecret(decoded);
  const names = rest.match(/(?<!\/\/[\w.-]*)\b[\w-]+(?=["'\]\s]*[:=])/g) ?? [];
  return credentialPattern.test(rest) || rest.search(issuedForm) >= 0 || names.some(isSecretName) || looksRandom(rest);
}

/** Removes quoted values that look like a key from a message, and by default numbers too. */
export function withoutLookalikes(message: string, parts = /"((?:[^"\\]|\\.)*)"|\d{10,}/g): string {
  return message.replaceAll(parts, (part, value: string = part) =>
    looksSecret(value) ? part.replace(value, hidden) : part,
  );
}

/** The parts of a body that a message repeats: quoted values, long numbers, and the end of a path to a member. */
const repeatedParts = /"((?:[^"\\]|\\.)*)"|(?<=\bis )\d{15,}|(?<=^[^\s"]*\.)[^\s"]{15,}(?= (?:is|has|needs) )/gm;

/** Removes everything like a key from a response that may repeat the request. Other numbers may be our own limits. */
export function withoutPastedKeys(message: string): string {
  return withoutLookalikes(message, repeatedParts);
}

const keyMembers: ReadonlySet<unknown> = new Set(["keys", "key", "key_id"]);

/** Whether a member of a file or a body may have the secret of a key. */
export function isKeyMember(name: unknown): boolean {
  return keyMembers.has(name);
}

/** Whether a line contains what may be a key: eight characters or more, neither a name nor a word of the service. */
export function mayContainKey(line: string): boolean {
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

/** The limits of the cache of redacted strings: their number, and the characters of each. */
const [maxCachedCount, maxCachedLength] = [1000, 400];

/** The keys and tokens of a server, which must not appear in log, journal and errors. */
export class Secrets {
  /** The secrets that do not have the issued form, each in all the forms that a string may contain, in lower case. */
  readonly #formsBySecret = new Map<string, ReadonlySet<string>>();
  /** The cache of redacted strings: most requests repeat a path and names that were redacted before. */
  readonly #redacted = new Map<string, string>();

  add(secret: string): void {
    if (isIssued(secret)) return;
    // A path contains the secret as it is, encoded, or encoded twice. A message contains the beginning of a long one.
    const variants = [secret.replaceAll("+", " "), secret, encodeURIComponent(secret)];
    this.#redacted.clear();
    const bytes = Buffer.from(secret);
    const forms = [secret, ...variants.map(encodeQuery), secret.slice(0, inputLimits.quoted), bytes.toString("hex")];
    // Within a longer string in Base64, the secret begins at one of three offsets.
    for (const offset of [0, 1, 2]) {
      const base64 = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64url");
      const encodedPart = base64.slice(Math.ceil((8 * offset) / 6), Math.floor((8 * (offset + bytes.length)) / 6));
      forms.push(encodedPart, encodedPart.replaceAll("-", "+").replaceAll("_", "/"));
    }
    this.#formsBySecret.set(secret, new Set(forms.map(inLowerCase)));
  }

  delete(secret: string): void {
    if (this.#formsBySecret.delete(secret)) this.#redacted.clear();
  }

  /** Replaces all secrets in a string, even overlapping ones, and everything of the issued form. */
  redact(text: string): string {
    let redacted = this.#redacted.get(text);
    if (redacted !== undefined) return redacted;
    redacted = this.#withoutSecrets(text);
    if (this.#redacted.size === maxCachedCount) this.#redacted.clear();
    if (text.length <= maxCachedLength) this.#redacted.set(text, redacted);
    return redacted;
  }

  #withoutSecrets(text: string): string {
    const spans: [from: number, to: number][] = [];
    const lowerCaseText = this.#formsBySecret.size > 0 ? inLowerCase(text) : text;
    for (const forms of this.#formsBySecret.values()) {
      for (const form of forms) {
        for (let at = lowerCaseText.indexOf(form); at !== -1; at = lowerCaseText.indexOf(form, at + 1))
          spans.push([at, at + form.length]);
      }
    }
    let [redacted, end] = ["", 0];
    for (const [from, to] of spans.toSorted(([left], [right]) => left - right)) {
      if (from >= end) redacted += text.slice(end, from) + hidden;
      end = Math.max(end, to);
    }
    return (redacted + text.slice(end)).replace(issuedForm, hidden);
  }
}
