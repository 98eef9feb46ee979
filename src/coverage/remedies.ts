import type { KeyType } from "../model/vocabulary.ts";

/*
 * Parts of the lines that provoke a behaviour. Each is JavaScript for a test with a `sandbox`; its placeholders are in
 * template literals of that code.
 */

export const quotedKeyTypes: readonly KeyType[] = ["marketing", "partner"];

/** An expression for a key, or for a text that is not a key. */
export type QuotedKey = `sandbox.keys.${KeyType}` | "not a key";

const templatePart = (expression: string): string => `\${${expression}}`;

export const offeringPath = `/offerings/${templatePart("sandbox.offering.id")}`;
export const listPath = `${offeringPath}/investments`;
export const investmentPath = `/investments/${templatePart("id")}`;

/** Sends a GET, and reads the answer. */
export function ask(path: string, key: QuotedKey = "sandbox.keys.partner"): string {
  const sent = key === "not a key" ? key : templatePart(key);
  const address = `\`${templatePart("sandbox.baseUrl")}${path}\``;
  return `await fetch(${address}, { headers: { Authorization: \`Bearer ${sent}\` } }).then((answer) => answer.text());`;
}

/** Sends a GET on the same connection as the last: Node's `fetch` opens another unless it had time to free it. */
export function askAgain(path: string): string {
  return `await new Promise((done) => setTimeout(done, 10)); ${ask(path)}`;
}

/** Sends a GET whose answer does not arrive whole. */
export function askInVain(path: string): string {
  return ask(path).replace(/;$/, ".catch(() => {});");
}

/** Asks for an investment that does not exist. */
export const askMissing = ask(`/investments/${templatePart("crypto.randomUUID()")}`);

/** Makes a number of the next requests fail. */
export function fail(how: string, times = 1): string {
  return `await sandbox.faults.add({ ${how}, times: ${times} });`;
}

/** Finds an investment of the offering. */
export const anyInvestment =
  "const [{ id }] = (await sandbox.investments.list({ offering_id: sandbox.offering.id })).data;";
