import { inexactNumberMessage, findInexactNumber } from "../text/json-text.ts";
import { isMembers } from "../validation/members.ts";
import { ValidationError } from "../validation/errors.ts";
import { clipped, didYouMean, either, describeValue } from "../text/text.ts";

/** The gap in a template for a value. */
export class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  toJSON(): string {
    return `\0{${this.name}}`;
  }
}

/** JSON with gaps. A string or a member's name may contain `{name}`, which becomes the value as text. */
export type Template = Placeholder | string | number | boolean | null | readonly Template[] | TemplateObject;

type TemplateObject = { readonly [member: string]: Template };

/** Matches a JSON string, or a placeholder outside of strings. */
const textOrPlaceholder = /"(?:[^"\\]|\\.)*"|\{(\w+)\}/g;
const placeholder = /\{(\w+)\}/g;
const maxTemplateLength = 2000;

/** Parses text such as `like:{"message":"{detail}"}`. A placeholder in quotes is a string, without quotes a value. */
class TemplateReader {
  readonly #names: readonly string[];
  readonly #validate: ((template: TemplateObject) => string | undefined) | undefined;

  /** `validate` returns a further error in a template. With it, a string that is only a placeholder is a value too. */
  constructor(names: readonly string[], validate?: (template: TemplateObject) => string | undefined) {
    this.#names = names;
    this.#validate = validate;
  }

  /** Normalizes a template; undefined for any other text. Throws ValidationError for an impossible template. */
  read(text: string): string | undefined {
    if (!text.startsWith("like:")) return undefined;
    if (text.length > maxTemplateLength) throw new ValidationError(`expected at most ${maxTemplateLength} characters.`);
    const unknownPlaceholder = [...text.matchAll(placeholder)].find(
      ([, name = ""]) => !this.#names.includes(name),
    )?.[0];
    if (unknownPlaceholder !== undefined) {
      const names = this.#names.map((name) => `{${name}}`);
      const expected = `expected ${either(names)}.${didYouMean(unknownPlaceholder, names)}`;
      throw new ValidationError(`there is no placeholder ${clipped(unknownPlaceholder)}, ${expected}`);
    }
    const template = this.parse(text as `like:${string}`);
    const error = this.#validate?.(template);
    if (error !== undefined) throw new ValidationError(error);
    const json = JSON.stringify(template);
    // A JSON Schema cannot describe this member.
    if (json.includes('"__proto__":')) throw new ValidationError('expected no member "__proto__".');
    return `like:${json.replace(/"\\u0000(\{\w+\})"/g, this.#validate ? '"$1"' : "$1")}`;
  }

  /** Parses a template. Throws ValidationError unless a JSON object follows `like:`. */
  parse(text: `like:${string}`): TemplateObject {
    if (findInexactNumber(jsonOf(text)) !== -1) throw new ValidationError(`like: ${inexactNumberMessage}.`);
    let parsed: unknown;
    try {
      parsed = JSON.parse(jsonOf(text), (_member, value: unknown) => this.#parsePlaceholder(value));
    } catch {
      throw new ValidationError("expected a JSON object after like:, with each string and name in double quotes.");
    }
    if (isMembers(parsed) && !(parsed instanceof Placeholder)) return parsed as TemplateObject;
    const description = parsed instanceof Placeholder ? "a placeholder" : describeValue(parsed);
    throw new ValidationError(`expected a JSON object after like:, not ${description}.`);
  }

  #parsePlaceholder(value: unknown): unknown {
    const pattern = this.#validate ? /^\0?\{(\w+)\}$/ : /^\0\{(\w+)\}$/;
    const [, name] = (typeof value === "string" && pattern.exec(value)) || [];
    return name === undefined ? value : new Placeholder(name);
  }
}

/** Returns the JSON of a template, with a string in place of each gap. */
function jsonOf(text: string): string {
  return text
    .slice("like:".length)
    .replace(textOrPlaceholder, (part, name?: string) =>
      name === undefined ? part : JSON.stringify(new Placeholder(name)),
    );
}

/** Fills the gaps of a template with values by name. Within a string, null and a missing value become empty. */
export function fillTemplate(template: Template, values: Readonly<Record<string, unknown>>): unknown {
  if (template instanceof Placeholder) return values[template.name] ?? null;
  if (typeof template === "string") return fillText(template, values);
  if (typeof template !== "object" || template === null) return template;
  if (isTemplateList(template)) return template.map((item) => fillTemplate(item, values));
  return Object.fromEntries(
    Object.entries(template).map(([name, content]) => [fillText(name, values), fillTemplate(content, values)]),
  );
}

function fillText(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replace(placeholder, (_, name: string) => {
    const value = values[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  });
}

export function isTemplateList(template: Template): template is readonly Template[] {
  return Array.isArray(template);
}

/** Templates of `errors.body`. */
export const errorTemplates = new TemplateReader(["status", "code", "title", "detail", "parameter"]);

const pagePlaceholders = ["page", "size", "total", "pages", "self", "first", "prev", "next", "last"];

/** Templates of `list.document`: `data`, as in section 1, and any other members. */
export const listTemplates = new TemplateReader(["data", ...pagePlaceholders], ({ data, ...rest }) => {
  if (!(data instanceof Placeholder) || data.name !== "data")
    return 'expected "data":"{data}" among its members (section 1).';
  if (JSON.stringify(rest).includes("{data}")) return "expected {data} once.";
  return "included" in rest ? "expected no included, which list.included adds." : undefined;
});

/** Returns true if a template of `list.document` shows pages. */
export function showsPages(template: Template): boolean {
  const text = JSON.stringify(template);
  return pagePlaceholders.some((name) => text.includes(`{${name}}`));
}
