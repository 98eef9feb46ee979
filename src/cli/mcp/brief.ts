import type { EnvironmentDescription, ExampleCall, KeyDescription } from "../../public/control.ts";
import { idOf, isMembers } from "../../validation/members.ts";
import { ValidationError } from "../../validation/errors.ts";
import { hidden, issuedForm } from "../../secrets/secrets.ts";
import { didYouMean, quoted } from "../../text/text.ts";

/** The maximum number of characters in a response: about 3,000 tokens of a context. */
const maxCharacters = 12_000;

/**
 * Limits for a shown response: characters of a string, items of a list, and levels of lists and objects. They are tried
 * in this order; a response always fits the last one.
 */
const measures = [
  { text: 1000, items: Infinity, levels: 5 },
  { text: 200, items: Infinity, levels: 4 },
  { text: 60, items: Infinity, levels: 3 },
  { text: 60, items: 30, levels: 3 },
  { text: 40, items: 10, levels: 3 },
  { text: 20, items: 3, levels: 2 },
];

/** Formats a response or its part as JSON. A long response is shortened, and names the parts to request in full. */
export function formatBriefly(whole: unknown, part: unknown, hasSecretAccess: boolean): string {
  const content = hasSecretAccess ? whole : concealSecrets(whole);
  const response = part === undefined ? content : partOf(content, idOf(part));
  const text = JSON.stringify(response);
  if (text.length <= maxCharacters || typeof response === "string") return text;
  const candidates = measures.map((measure) => {
    const shortenedPaths: string[] = [];
    const shown = shorten(response, measure, "", shortenedPaths);
    const examples = shortenedPaths.slice(0, 3).map((path) => JSON.stringify(path));
    const shortened = `The response is too long. Tools that read return one part in full: set "part" to ${examples.join(", or ")}.`;
    return JSON.stringify({ shortened, response: shown });
  });
  return candidates.find((candidate) => candidate.length <= maxCharacters) ?? candidates.at(-1) ?? "";
}

function concealSecrets(response: unknown): unknown {
  const text = JSON.stringify(response, conceal);
  return JSON.parse(text.replace(issuedForm, hidden)) as unknown;
}

/** The members of responses that contain the secret of a key. */
const secretMembers: ReadonlySet<string> = new Set<keyof KeyDescription | keyof EnvironmentDescription>([
  "key",
  "marketing_key",
  "partner_key",
]);

/** Replaces secrets, including the secret in the `curl` command of an example. */
function conceal(this: Partial<ExampleCall>, name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (secretMembers.has(name)) return hidden;
  return name === ("curl" satisfies keyof ExampleCall) ? value.replaceAll(this.key ?? hidden, hidden) : value;
}

/** Shortens a value to a measure, and adds the path of each omission to `shortenedPaths`. */
function shorten(
  value: unknown,
  measure: (typeof measures)[number],
  path: string,
  shortenedPaths: string[],
  level = 0,
): unknown {
  const { text: maxLength, items, levels } = measure;
  const markShortened = (words: string): string => {
    shortenedPaths.push(path);
    return words;
  };
  if (typeof value === "string") {
    if (value.length <= maxLength) return value;
    return markShortened(`${value.slice(0, maxLength)}… (${value.length.toLocaleString("en")} characters)`);
  }
  if (Array.isArray(value)) {
    if (level >= levels && value.length > 0) return markShortened(`[${value.length} items]`);
    const shown = value.slice(0, items).map((item, index) => {
      return shorten(item, measure, `${path}[${index}]`, shortenedPaths, level + 1);
    });
    const rest = value.length - shown.length;
    return rest === 0 ? shown : [...shown, markShortened(`… ${rest.toLocaleString("en")} more`)];
  }
  if (!isMembers(value)) return value;
  const members = Object.entries(value);
  if (level >= levels && members.length > 0) return markShortened(`{${members.length} members}`);
  // An object with a hundred members is a map.
  const shown = members.slice(0, Math.max(items, 30)).map(([name, member]) => {
    const segment = /^\w+$/.test(name) ? `${path === "" ? "" : "."}${name}` : `[${name}]`;
    return [name, shorten(member, measure, path + segment, shortenedPaths, level + 1)] as const;
  });
  const rest = members.length - shown.length;
  return Object.fromEntries(rest === 0 ? shown : [...shown, ["…", markShortened(`${rest.toLocaleString("en")} more`)]]);
}

/** Returns the part at a path such as `data[3].response`, with an index or id of items. Throws ValidationError. */
function partOf(response: unknown, path: string): unknown {
  let value = response;
  for (const [, bracketed, named] of path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)) {
    const segment = bracketed ?? named ?? "";
    const members: ReadonlyMap<string, unknown> = new Map(namedParts(value));
    if (!members.has(segment)) {
      throw new ValidationError(
        `The response has no part ${quoted(segment)} at that path.${didYouMean(segment, members.keys())}`,
      );
    }
    value = members.get(segment);
  }
  return value;
}

/** Returns the members of an object by name, or the items of a list by id and by index. */
function namedParts(value: unknown): [string, unknown][] {
  if (!Array.isArray(value)) return isMembers(value) ? Object.entries(value) : [];
  const byId = value.flatMap((item): [string, unknown][] => {
    const id: unknown = isMembers(item) ? (item["id"] ?? item["name"]) : undefined;
    return typeof id === "string" || typeof id === "number" ? [[String(id), item]] : [];
  });
  return [...byId.toReversed(), ...value.map((item, index): [string, unknown] => [String(index), item])];
}
