import { isMembers } from "../model/members.ts";
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
  if (value === parameter) return parameter === "" ? "" : "{parameter}";
  if (constants.has(value)) return value;
  if (/time|date|path|instance|request|trace|url|uri|href|\bid$/i.test(name)) return "";
  // A code is one word of a program, a detail is a sentence, a title is a few words.
  if (/^(?:[a-z\d]+|[A-Z\d]+|[\w.:-]*[_.:-][\w.:-]*)$/.test(value)) return "{code}";
  if (/[.!?]$|.{60}/.test(value) || /description|detail/i.test(name)) return "{detail}";
  return /code|type/i.test(name) ? "{code}" : "{title}";
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
