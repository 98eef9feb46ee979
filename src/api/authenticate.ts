import { HttpError, type Problem } from "../errors/http-error.ts";
import type { ErrorCode } from "../errors/catalogue.ts";
import type { EnvironmentView, IssuedKey } from "../environment/view.ts";
import type { AssumptionValue } from "../assumptions/catalogue.ts";

/** The key of a request, or why it has none that serves (section 5.3). */
export type Authentication =
  | { readonly issued: IssuedKey }
  | { readonly refused: ErrorCode; readonly environment?: EnvironmentView };

const credentials = /^(\S+) +(\S+)$/;

/** What an `Authorization` header gives: a scheme and a token, or undefined when it has another form. */
function parseCredentials(header: string): { scheme: string; token: string } | undefined {
  const [, scheme, token] = credentials.exec(header) ?? [];
  return scheme === undefined || token === undefined ? undefined : { scheme, token };
}

/** Finds the key that an `Authorization` header names. `scheme` answers whether the scheme's case counts. */
export function authenticate(
  header: string | undefined,
  scheme: () => AssumptionValue<"auth.scheme">,
  find: (secret: string) => IssuedKey | undefined,
): Authentication {
  const text = header?.trim() ?? "";
  if (text === "") return { refused: "key_missing" };
  const given = parseCredentials(text);
  if (!given) return { refused: "key_malformed" };
  if (given.scheme !== "Bearer") {
    if (given.scheme.toLowerCase() !== "bearer" || scheme() === "exact") return { refused: "key_malformed" };
  }
  const issued = find(given.token);
  if (!issued) return { refused: "key_unknown" };
  if (issued.status === "revoked") return { refused: "key_revoked", environment: issued.environment };
  return { issued };
}

const words: Partial<Record<ErrorCode, string>> = {
  key_missing: "Send the header `Authorization: Bearer <API_KEY>`.",
  key_malformed: "The Authorization header is not of the form `Bearer <API_KEY>`.",
  key_unknown: "No such key was issued.",
  key_revoked: "The key was revoked.",
};

/** The 401 for a key that does not serve. */
export function unauthorized(code: ErrorCode, wwwAuthenticate: AssumptionValue<"errors.www_authenticate">): HttpError {
  const problem: Problem = { detail: words[code] ?? "", source: { header: "Authorization" } };
  return new HttpError(code, problem, wwwAuthenticate === "yes" ? { "WWW-Authenticate": "Bearer" } : {});
}
