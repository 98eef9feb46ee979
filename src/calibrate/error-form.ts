import { isMembers } from "../model/members.ts";
import { safeName } from "./types.ts";

/**
 * The form of an error's body as a value of `errors.body`: `jsonapi`, `empty`, `problem`, `message`, or `like:` and a template;
 * `text` for a body that is no JSON.
 */
export type ErrorForm = string;

/** The longest template. */
const longest = 500;

/** Returns the form of a body, with a placeholder for each of its values. */
export function errorForm(status: number, body: string, json: unknown, mediaType: string): ErrorForm {
  if (body === "") return "empty";
  if (json === undefined) return "text";
  if (isMembers(json)) {
    const names = Object.keys(json);
    if (names.length === 1 && typeof json["message"] === "string") return "message";
    const isProblem = mediaType.startsWith("application/problem+json") && json["status"] === status;
    if (isProblem && ["title", "detail"].every((name) => typeof json[name] === "string")) return "problem";
    if (names.length === 1 && isJsonApi(json["errors"], status)) return "jsonapi";
  }
  const template = JSON.stringify(templateOf(json, "", status, 0)).replaceAll(`"{status:number}"`, "{status}");
  return template.length > longest ? "text" : `like:${template}`;
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

function templateOf(value: unknown, name: string, status: number, depth: number): unknown {
  if (depth > 4) return null;
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => templateOf(item, name, status, depth + 1));
  if (isMembers(value)) {
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, 12)
        .map(([member, inner]) => [safeName(member), templateOf(inner, member, status, depth + 1)]),
    );
  }
  if (typeof value === "number") return value === status ? "{status:number}" : 0;
  return typeof value === "string" ? placeholderFor(value, name, status) : value;
}

function placeholderFor(value: string, name: string, status: number): string {
  if (value === String(status)) return "{status}";
  if (/param|field|pointer/i.test(name)) return "{parameter}";
  if (/time|date|path|instance|request|trace|url|uri|href|\bid$/i.test(name)) return "";
  if (/message|detail|description|text/i.test(name)) return "{detail}";
  if (/title/i.test(name)) return "{title}";
  if (/code|type|reason|name|key/i.test(name)) return "{code}";
  // An `error` is a code, a title or a sentence.
  if (/^[\w.-]+$/.test(value)) return "{code}";
  return /[.!?]$|.{40}/.test(value) ? "{detail}" : "{title}";
}
