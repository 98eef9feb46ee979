import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** The tokens of an environment: `admin` allows all its calls, `view` only those without changes. */
export interface Tokens {
  readonly admin: string;
  readonly view: string;
}

/** A token names its environment, so that callers and the portal know which it is for. `issuedForm` covers it too. */
const tokenPattern = /^sandbox_(admin|view)_([\w-]{1,64})_[\da-f]{32}$/;

/** Returns new tokens for an environment. They are random, so that a later environment with this id has others. */
export function issueTokens(environmentId: string): Tokens {
  return tokensOf(environmentId, () => randomBytes(16));
}

/** Returns the tokens of an environment for links made later: equal for equal secrets, so they need not be stored. */
export function linkTokens(secret: Buffer, { id, uid }: { readonly id: string; readonly uid: string }): Tokens {
  return tokensOf(id, (right) => createHmac("sha256", secret).update(`${right} ${id} ${uid}`).digest().subarray(0, 16));
}

function tokensOf(id: string, bytes: (right: keyof Tokens) => Buffer): Tokens {
  const token = (right: keyof Tokens): string => `sandbox_${right}_${id}_${bytes(right).toString("hex")}`;
  return { admin: token("admin"), view: token("view") };
}

/** Returns a new admin token of a server. It does not begin with a dash, as a flag would, or name an environment. */
export function issueAdminToken(): string {
  return `sandbox_admin_${randomBytes(15).toString("base64url")}`;
}

/** Returns the digests of tokens, which a server stores: the tokens cannot be restored from them. */
export function digestsOf({ admin, view }: Tokens): Tokens {
  return { admin: digest(admin).toString("hex"), view: digest(view).toString("hex") };
}

/** Returns the environment and the right that a token names, valid or not; undefined if it has another form. */
export function parseToken(token: string): { readonly id: string; readonly right: keyof Tokens } | undefined {
  const [, right, id] = tokenPattern.exec(token) ?? [];
  return id === undefined ? undefined : { id, right: right === "view" ? "view" : "admin" };
}

/** Compares in constant time; digests have the same length. */
export function isSameToken(candidate: string, token: string): boolean {
  return timingSafeEqual(digest(candidate), digest(token));
}

/** Compares a token with one of `digestsOf`, in constant time. */
export function hasTokenDigest(candidate: string, tokenDigest: string): boolean {
  return timingSafeEqual(digest(candidate), Buffer.from(tokenDigest, "hex"));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
