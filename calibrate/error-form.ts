import { isMembers } from "../src/model/members.ts";
import type { Memory } from "./memory.ts";
import { safeName } from "./types.ts";

/**
 * The form of an error's body as a value of `errors.body`: `jsonapi`, `empty`, `problem`, `message`, or `like:` and a template;
 * `text` for a body that is no JSON object.
 */
export type ErrorForm = string;

/** The longest template. */
const longest = 500;

/** Returns the form of a body, with a placeholder for each of its values. `parameter` is the one that was sent. */
export function errorForm(status: number, body: string, json: unknown, mediaType: string, parameter = ""): ErrorForm {
  if (body === "") return "empty";
  if (!isMembers(json)) return "text";
  const names = Object.keys(json);
  if (names.length === 1 && typeof json["message"] === "string") return "message";
  const isProblem = mediaType.startsWith("application/problem+json") && json["status"] === status;
  if (isProblem && ["title", "detail"].every((name) => typeof json[name] === "string")) return "problem";
  if (names.length === 1 && isJsonApi(json["errors"], status)) return "jsonapi";
  const template = templateOf(json, { status, parameter, name: "" }, 0);
  const text = `like:${JSON.stringify(template).replaceAll('"{status:number}"', "{status}")}`;
  return text.length > longest ? "text" : text;
}

function isJsonApi(errors: unknown, status: number): boolean {
  const [first] = Array.isArray(errors) ? (errors as readonly unknown[]) : [];
  if (!isMembers(first) || first["status"] !== String(status)) return false;
  const texts = ["code", "title", "detail"];
  return (
    texts.every((name) => typeof first[name] === "string") &&
    Object.keys(first).every((name) => ["status", "source", ...texts].includes(name))
  );
}

/** The error and the name of the member that is looked at. */
interface Place {
  readonly status: number;
  readonly parameter: string;
  readonly name: string;
}

function templateOf(value: unknown, place: Place, depth: number): unknown {
  if (depth > 4) return null;
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => templateOf(item, place, depth + 1));
  if (isMembers(value)) {
    const members = Object.entries(value).slice(0, 12);
    return Object.fromEntries(
      members.map(([name, inner]) => [safeName(name), templateOf(inner, { ...place, name }, depth + 1)]),
    );
  }
  if (typeof value === "number") return value === place.status ? "{status:number}" : 0;
  return typeof value === "string" ? placeholderFor(value, place) : value;
}

/** Words that stand in every error alike. */
const constants = new Set(["error", "fail", "failure", "about:blank"]);

function placeholderFor(value: string, { status, parameter, name }: Place): string {
  if (value === String(status)) return "{status}";
  if (value === "") return "";
  if (value === parameter) return "{parameter}";
  if (constants.has(value)) return value;
  if (/time|date|path|instance|request|trace|url|uri|href|\bid$/i.test(name)) return "";
  // A code is one word of a program, a detail is a sentence, a title is a few words.
  if (/^(?:[a-z\d]+|[A-Z\d]+|[\w.:-]*[_.:-][\w.:-]*)$/.test(value)) return "{code}";
  if (/[.!?]$|.{60}/.test(value) || /description|detail/i.test(name)) return "{detail}";
  return /code|type/i.test(name) ? "{code}" : "{title}";
}

/** The place of a value in an error, and a number that stands for the value: the same for the same value. */
export interface ErrorValue {
  readonly path: string;
  readonly value: number;
}

/** Returns the values in an error that its status alone does not explain. */
export function errorValues(status: number, json: unknown, memory: Memory, path = ""): readonly ErrorValue[] {
  if (Array.isArray(json)) return errorValues(status, (json as readonly unknown[])[0], memory, path);
  if (isMembers(json))
    return Object.entries(json)
      .slice(0, 12)
      .flatMap(([name, inner]) => errorValues(status, inner, memory, `${path}.${safeName(name)}`));
  const isValue = typeof json === "string" || typeof json === "number";
  if (!isValue || json === "" || String(json) === String(status)) return [];
  return [{ path: path.slice(1), value: memory.number(`${typeof json} ${json}`) }];
}

/** Returns the places whose values are the same in errors of different statuses: they name no error. */
export function constantPlaces(errors: readonly (readonly ErrorValue[])[]): string[] {
  const [first = [], ...others] = errors;
  return first.flatMap(({ path, value }) =>
    others.length > 0 && others.every((error) => error.some((one) => one.path === path && one.value === value))
      ? path
      : [],
  );
}

/** A template with gaps in these places, and which places have gaps: also those with a number. */
export interface Gaps {
  readonly form: ErrorForm;
  readonly places: readonly string[];
}

/** Returns a form with an empty text in these places of it, where it has a placeholder. */
export function withGaps(form: ErrorForm, constant: readonly string[]): Gaps {
  if (!form.startsWith("like:")) return { form, places: [] };
  const places = new Set<string>();
  const template = JSON.parse(form.slice(5).replace(/([:,[])\{status\}/g, '$1"{status:number}"')) as unknown;
  const fill = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => fill(item, path));
    if (isMembers(value))
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner, `${path}.${name}`)]));
    const isNumber = value === 0;
    const isConstant = ["{title}", "{code}", "{detail}"].includes(String(value)) && constant.includes(path.slice(1));
    if (!isNumber && !isConstant) return value;
    places.add(path.slice(1));
    return isNumber ? null : "";
  };
  const text = JSON.stringify(fill(template, "")).replaceAll('"{status:number}"', "{status}");
  return { form: `like:${text}`, places: [...places] };
}

/**
 * Returns the template that gives both an error without a parameter and one of a parameter; undefined if none does. A text
 * without a parameter is empty, a value is null.
 */
export function withParameter(without: ErrorForm, ofParameter: ErrorForm): ErrorForm | undefined {
  const gap = '"{parameter}"';
  if (without === ofParameter || ofParameter.replaceAll(gap, '""') === without) return ofParameter;
  return ofParameter.replaceAll(gap, "null") === without ? ofParameter.replaceAll(gap, "{parameter}") : undefined;
}
