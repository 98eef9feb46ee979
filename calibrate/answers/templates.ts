import { isMembers, type Members } from "../../src/model/members.ts";
import type { Memory } from "./memory.ts";
import { safeName } from "./types.ts";

/** The form of an error's body, without its values. */
export interface ErrorForm {
  /** `jsonapi`, `empty`, `problem`, `message`, or `like:` and a template; `text` for a body without a JSON object. */
  readonly form: string;
  /** A number for each `{code}`, `{title}` and `{detail}` of the template, the same for the same text. */
  readonly texts: readonly number[];
}

const maxTemplateLength = 500;

/** Returns the form of an error's body. `parameter` is the refused one. */
export function errorForm(
  { status, body, mediaType }: { readonly status: number; readonly body: string; readonly mediaType: string },
  json: unknown,
  parameter: string | undefined,
  memory: Memory,
): ErrorForm {
  if (body === "") return { form: "empty", texts: [] };
  if (!isMembers(json)) return { form: "text", texts: [] };
  const standard = standardForm(json, status, mediaType);
  if (standard !== undefined) return { form: standard, texts: [] };
  const template = errorTemplate(json, "", 0, (value, name) =>
    typeof value === "number" && value === status
      ? "{status:number}"
      : value === String(status)
        ? "{status}"
        : value === parameter
          ? "{parameter}"
          : textPlaceholder(value, name, memory),
  );
  const texts: number[] = [];
  const form = `like:${JSON.stringify(template)}`
    .replaceAll('"{status:number}"', "{status}")
    .replace(/#(\d+)(?=\})/g, (_, number: string) => (texts.push(Number(number)), ""));
  return form.length > maxTemplateLength ? { form: "text", texts: [] } : { form, texts };
}

const jsonApiMembers = new Set(["status", "source", "code", "title", "detail"]);

function standardForm(json: Members, status: number, mediaType: string): string | undefined {
  const isProblem = mediaType.startsWith("application/problem+json") && json["status"] === status;
  if (isProblem && hasTexts(json, "title", "detail")) return "problem";
  if (Object.keys(json).length > 1) return undefined;
  if (hasTexts(json, "message")) return "message";
  const [error] = Array.isArray(json["errors"]) ? (json["errors"] as readonly unknown[]) : [];
  if (!isMembers(error) || error["status"] !== String(status)) return undefined;
  const isJsonApi = Object.keys(error).every((name) => jsonApiMembers.has(name));
  return isJsonApi && hasTexts(error, "code", "title", "detail") ? "jsonapi" : undefined;
}

function hasTexts(members: Members, ...names: readonly string[]): boolean {
  return names.every((name) => typeof members[name] === "string");
}

/** Returns a value with a placeholder for each text and number in it. */
function errorTemplate(
  value: unknown,
  name: string,
  depth: number,
  placeholder: (value: string | number, name: string) => unknown,
): unknown {
  if (depth > 4) return null;
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => errorTemplate(item, name, depth + 1, placeholder));
  if (isMembers(value)) {
    const names = Object.keys(value).slice(0, 12);
    return Object.fromEntries(
      names.map((key) => [safeName(key), errorTemplate(value[key], key, depth + 1, placeholder)]),
    );
  }
  return typeof value === "string" || typeof value === "number" ? placeholder(value, name) : value;
}

/** Words found in every error. */
const constantWords = new Set(["", "error", "fail", "failure", "about:blank"]);

function textPlaceholder(value: string | number, name: string, memory: Memory): string | number {
  if (typeof value === "number") return 0;
  if (constantWords.has(value)) return value;
  if (/time|date|path|instance|request|trace|url|uri|href|\bid$/i.test(name)) return "";
  // A code is one word of a program, a detail is a sentence, a title is a few words.
  const isCode = /^(?:[a-z\d]+|[A-Z\d]+|[\w.:-]*[_.:-][\w.:-]*)$/.test(value);
  const isDetail = /[.!?]$|.{60}/.test(value) || /description|detail/i.test(name);
  const kind = isCode ? "code" : isDetail ? "detail" : /code|type/i.test(name) ? "code" : "title";
  return `{${kind}#${memory.number(`text ${value}`)}}`;
}

/**
 * Returns a template without its numbers, and without the texts of errors of different statuses in common: these do not name the
 * error. `gaps` are the names of the emptied members.
 */
export function withGaps(
  form: string,
  isShared: readonly boolean[],
): { readonly form: string; readonly gaps: string[] } {
  const gaps = new Set<string>();
  let text = 0;
  const gapped = form.replace(/(?<=[:[])(?:0|"\{(?:title|code|detail)\}")(?=[,\]}])/g, (leaf: string, at: number) => {
    if (leaf !== "0" && isShared[text++] !== true) return leaf;
    gaps.add(/"([^"]*)":\[*$/.exec(form.slice(0, at))?.[1] ?? "");
    return leaf === "0" ? "null" : '""';
  });
  return { form: gapped, gaps: [...gaps] };
}

/**
 * Returns the template of both an error without a parameter, where its place is an empty text or null, and one with; undefined if
 * there is none.
 */
export function withParameter(without: string, ofParameter: string): string | undefined {
  const gap = '"{parameter}"';
  if (without === ofParameter || ofParameter.replaceAll(gap, '""') === without) return ofParameter;
  return ofParameter.replaceAll(gap, "null") === without ? ofParameter.replaceAll(gap, "{parameter}") : undefined;
}

/** The form of a list's body. */
export interface ListForm {
  /** A value of `list.document`; undefined if no template gives it. */
  readonly form: string | undefined;
  /** The page size in the body. */
  readonly namedSize: number | undefined;
  /** The number of all items in the body. */
  readonly namedTotal: number | undefined;
}

const conventionalList =
  'like:{"data":"{data}","meta":{"page":"{page}","size":"{size}","total":"{total}","pages":"{pages}"},' +
  '"links":{"self":"{self}","first":"{first}","prev":"{prev}","next":"{next}","last":"{last}"}}';

/** Returns the form of a list's body: its members beside the data, by their names. */
export function listForm(json: Members): ListForm {
  const numbers: Record<string, number> = {};
  const names = Object.keys(json)
    .slice(0, 21)
    .filter((name) => name !== "included");
  const beside = Object.fromEntries(names.map((name) => [name, name === "data" ? "{data}" : json[name]]));
  const template = listTemplate(beside, "", 0, numbers);
  const text = template === undefined ? undefined : `like:${JSON.stringify(template)}`;
  const form = text === conventionalList ? "resources" : text === 'like:{"data":"{data}"}' ? "data" : text;
  return { form, namedSize: numbers["{size}"], namedTotal: numbers["{total}"] };
}

/** Returns a list's body with placeholders, and adds the first number of each to `numbers`; undefined for another value. */
function listTemplate(value: unknown, name: string, depth: number, numbers: Record<string, number>): unknown {
  if (isMembers(value) && depth < 4) {
    const members = Object.keys(value)
      .slice(0, 20)
      .map((key) => [safeName(key), listTemplate(value[key], key, depth + 1, numbers)] as const);
    return members.some(([, inner]) => inner === undefined) ? undefined : Object.fromEntries(members);
  }
  if (value === "{data}" && name === "data") return value;
  const kinds = typeof value === "number" ? numberPlaceholders : linkPlaceholders;
  const placeholder = Object.keys(kinds).find((key) => kinds[key]?.test(name));
  if (placeholder !== undefined && Number.isSafeInteger(value)) numbers[placeholder] ??= value as number;
  return value === null || typeof value === "string" || typeof value === "number" ? placeholder : undefined;
}

/** The names of members for each placeholder. The first match counts. */
const numberPlaceholders: Readonly<Record<string, RegExp>> = {
  "{pages}": /pages|last_?page|page_?count/i,
  "{size}": /size|per_?page|limit/i,
  "{total}": /total|count/i,
  "{page}": /page|number|current/i,
};
const linkPlaceholders: Readonly<Record<string, RegExp>> = {
  "{self}": /self|current/i,
  "{first}": /first/i,
  "{prev}": /prev/i,
  "{next}": /next/i,
  "{last}": /last/i,
};
