import type { EnvironmentDescription, ExampleCall, KeyDescription } from "../../public/control.ts";
import { idOf, isMembers } from "../../validation/members.ts";
import { ValidationError } from "../../validation/errors.ts";
import { hidden, issuedForm } from "../../secrets/secrets.ts";
import { didYouMean, quoted } from "../../text/text.ts";

/** The maximum number of characters in a response: about 3,000 tokens of a context. */
const maxCharacters = 12_000;

/**
 * How much of a response is shown: characters of a text, items of a list, and levels of lists and objects. The measures
 * are tried in this order; a response always fits the last one.
 */
const measures = [
  { text: 1000, items: Infinity, levels: 5 },
  { text: 200, items: Infinity, levels: 4 },
  { text: 60, items: Infinity, levels: 3 },
  { text: 60, items: 30, levels: 3 },
  { text: 40, items: 10, levels: 3 },
  { text: 20, items: 3, levels: 2 },
];

/** A response, or a part of it, as JSON. A long one is shortened, and names the parts to request in full. */
export function briefly(whole: unknown, part: unknown, givesSecrets: boolean): string {
  const content = givesSecrets ? whole : withoutSecrets(whole);
  const response = part === undefined ? content : partOf(content, idOf(part));
  const text = JSON.stringify(response);
  if (text.length <= maxCharacters || typeof response === "string") return text;
  const texts = measures.map((measure) => {
    const cut: string[] = [];
    const shown = shorten(response, measure, "", cut);
    const examples = cut.slice(0, 3).map((place) => JSON.stringify(place));
    const shortened = `To fit. Reading tools give one part in full: "part" is ${examples.join(", or ")}.`;
    return JSON.stringify({ shortened, response: shown });
  });
  return texts.find((candidate) => candidate.length <= maxCharacters) ?? texts.at(-1) ?? "";
}

function withoutSecrets(response: unknown): unknown {
  const text = JSON.stringify(response, conceal);
  return JSON.parse(text.replace(issuedForm, hidden)) as unknown;
}

/** Members of responses that hold the secret of a key. */
const secretMembers: ReadonlySet<string> = new Set<keyof KeyDescription | keyof EnvironmentDescription>([
  "key",
  "marketing_key",
  "partner_key",
]);

/** Replaces secrets, also in the `curl` command of an example, which contains the example's `key`. */
function conceal(this: Partial<ExampleCall>, name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (secretMembers.has(name)) return hidden;
  return name === ("curl" satisfies keyof ExampleCall) ? value.replaceAll(this.key ?? hidden, hidden) : value;
}

/** Shortens a value to a measure, and adds the place of each omission to `cut`. */
function shorten(value: unknown, measure: (typeof measures)[number], place: string, cut: string[], level = 0): unknown {
  const { text, items, levels } = measure;
  const note = (words: string): string => {
    cut.push(place);
    return words;
  };
  if (typeof value === "string") {
    if (value.length <= text) return value;
    return note(`${value.slice(0, text)}… (${value.length.toLocaleString("en")} characters)`);
  }
  if (Array.isArray(value)) {
    if (level >= levels && value.length > 0) return note(`[${value.length} items]`);
    const shown = value.slice(0, items).map((item, index) => {
      return shorten(item, measure, `${place}[${index}]`, cut, level + 1);
    });
    const rest = value.length - shown.length;
    return rest === 0 ? shown : [...shown, note(`… ${rest.toLocaleString("en")} more`)];
  }
  if (!isMembers(value)) return value;
  const members = Object.entries(value);
  if (level >= levels && members.length > 0) return note(`{${members.length} members}`);
  // An object with a hundred members is a map.
  const shown = members.slice(0, Math.max(items, 30)).map(([name, member]) => {
    const own = /^\w+$/.test(name) ? `${place === "" ? "" : "."}${name}` : `[${name}]`;
    return [name, shorten(member, measure, place + own, cut, level + 1)] as const;
  });
  const rest = members.length - shown.length;
  return Object.fromEntries(rest === 0 ? shown : [...shown, ["…", note(`${rest.toLocaleString("en")} more`)]]);
}

/**
 * The part at a place such as `readings[0].response.body`, with items by number or id. Throws ValidationError for none.
 */
function partOf(response: unknown, place: string): unknown {
  let value = response;
  for (const [, bracketed, named] of place.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)) {
    const segment = bracketed ?? named ?? "";
    const members: ReadonlyMap<string, unknown> = new Map(namedParts(value));
    if (!members.has(segment)) {
      throw new ValidationError(
        `The response has no part ${quoted(segment)} there.${didYouMean(segment, members.keys())}`,
      );
    }
    value = members.get(segment);
  }
  return value;
}

/** The members of an object by name, and the items of a list by id and by number. */
function namedParts(value: unknown): [string, unknown][] {
  if (!Array.isArray(value)) return isMembers(value) ? Object.entries(value) : [];
  const byId = value.flatMap((item): [string, unknown][] => {
    const id: unknown = isMembers(item) ? (item["id"] ?? item["name"]) : undefined;
    return typeof id === "string" || typeof id === "number" ? [[String(id), item]] : [];
  });
  return [...byId.toReversed(), ...value.map((item, index): [string, unknown] => [String(index), item])];
}
