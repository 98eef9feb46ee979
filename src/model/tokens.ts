import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** The tokens of an environment: `admin` is for all its calls, `view` for those without changes. */
export interface Tokens {
  readonly admin: string;
  readonly view: string;
}

/** It names its environment, so that a caller and the portal know where they are. `issuedForm` has it too. */
const form = /^sandbox_(admin|view)_([\w-]{1,64})_[\da-f]{32}$/;

/** Returns new tokens for an environment. By chance, so that another environment of this id has others. */
export function issueTokens(environmentId: string): Tokens {
  return tokensOf(environmentId, () => randomBytes(16));
}

/** The tokens of an environment in links that are made later: the same for the same secret, so nobody has to keep them. */
export function linkTokens(secret: Buffer, { id, uid }: { readonly id: string; readonly uid: string }): Tokens {
  return tokensOf(id, (right) => createHmac("sha256", secret).update(`${right} ${id} ${uid}`).digest().subarray(0, 16));
}

function tokensOf(id: string, bytes: (right: keyof Tokens) => Buffer): Tokens {
  const token = (right: keyof Tokens): string => `sandbox_${right}_${id}_${bytes(right).toString("hex")}`;
  return { admin: token("admin"), view: token("view") };
}

/** Returns a new admin token of a server. It begins with no dash, as flags do, and names no environment. */
export function issueAdminToken(): string {
  return `sandbox_admin_${randomBytes(15).toString("base64url")}`;
}

/** The tokens as a server keeps them: from these nobody gets the tokens back. */
export function digestsOf({ admin, view }: Tokens): Tokens {
  return { admin: digest(admin).toString("hex"), view: digest(view).toString("hex") };
}

/** The environment and the right that a token names, whether or not it is valid; undefined if it has another form. */
export function namedBy(token: string): { readonly id: string; readonly right: keyof Tokens } | undefined {
  const [, right, id] = form.exec(token) ?? [];
  return id === undefined ? undefined : { id, right: right === "view" ? "view" : "admin" };
}

/** Compares in constant time; digests have the same length. */
export function isToken(candidate: string, token: string): boolean {
  return timingSafeEqual(digest(candidate), digest(token));
}

/** Compares a token with one of `digestsOf`, in constant time. */
export function isTokenOf(candidate: string, digestOfToken: string): boolean {
  return timingSafeEqual(digest(candidate), Buffer.from(digestOfToken, "hex"));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
