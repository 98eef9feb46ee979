import type { KeyType } from "../model/vocabulary.ts";

/*
 * Parts of the lines that provoke a behaviour. Each is JavaScript for a test with a `sandbox`, and has its placeholders in
 * template literals of its own.
 */

export const keyTypes: readonly KeyType[] = ["marketing", "partner"];

/** An expression for a key, or words that are none. */
export type QuotedKey = `sandbox.keys.${KeyType}` | "not a key";

const placeholder = (expression: string): string => `\${${expression}}`;

export const offering = `/offerings/${placeholder("sandbox.offering.id")}`;
export const list = `${offering}/investments`;
export const one = `/investments/${placeholder("id")}`;

/** Sends a GET. */
export function ask(path: string, key: QuotedKey = "sandbox.keys.partner"): string {
  const sent = key === "not a key" ? key : placeholder(key);
  const address = `\`${placeholder("sandbox.baseUrl")}${path}\``;
  return `await fetch(${address}, { headers: { Authorization: \`Bearer ${sent}\` } });`;
}

/** Sends a GET that is certainly sent after all answers before it. */
export function askLater(path: string): string {
  return `await new Promise((done) => setTimeout(done, 200)); ${ask(path)}`;
}

/** Finds an investment of the offering. */
export const anyInvestment =
  "const [{ id }] = (await sandbox.investments.list({ offering_id: sandbox.offering.id })).data;";

/** Creates an investment with these members. */
export function newInvestment(members: string): string {
  const all = ["offering_id: sandbox.offering.id", ...(members === "" ? [] : [members])].join(", ");
  return `const { id } = await sandbox.investments.create({ ${all} });`;
}

/** Creates an investment, and asks for it. */
export function investment(members: string, below = "", key: QuotedKey = "sandbox.keys.partner"): string {
  return `${newInvestment(members)} ${ask(one + below, key)}`;
}

/** Reads both halves of a list, with more of a query. */
export function wholeList(query = "", key: QuotedKey = "sandbox.keys.partner"): string {
  const count = "const { total } = await sandbox.investments.list({ offering_id: sandbox.offering.id, limit: 1 });";
  const path = `${list}?page=${placeholder("page")}&size=${placeholder("Math.ceil(total / 2)")}${query}`;
  return `{ ${count} for (const page of [1, 2]) ${ask(path, key)} }`;
}

/** A member of a new investment. */
export const event = 'events: [{ event: "PROFILE", action: "SUBMITTED" }]';
