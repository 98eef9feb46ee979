import { readFileSync } from "node:fs";
import type { AdminOperation } from "../control/operation.ts";
import type { Members } from "../mistakes/members.ts";
import { packageRoot } from "../package.ts";
import { alternatives, type ValueType, valueType, onOrOff, text, textOrNull } from "../settings/kinds.ts";
import type { Setting, Settings } from "../settings/settings.ts";

/** A JSON Schema, as far as flags are made from it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

let document: { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } } | undefined;

/** The schemas of the admin API's OpenAPI document, which loads with the first flag made from it, not at a start. */
function schemas(): Readonly<Record<string, Schema>> {
  const file = new URL("schema/openapi-admin.json", packageRoot);
  document ??= JSON.parse(readFileSync(file, "utf8")) as typeof document & object;
  return document.components.schemas;
}

/** A flag for each parameter of an operation's query or member of its body. The sandbox checks the members. */
export function operationFlags({ query, body }: AdminOperation): Settings {
  return body === undefined ? (query ?? {}) : memberFlags(schemas()[body] ?? {});
}

/** Members of an object in the body have their own flags: `match.path` is `--path`. Lists and maps have none. */
function memberFlags({ properties = {} }: Schema, above = ""): Settings {
  const flags: Record<string, Setting> = {};
  for (const [name, { $ref = "", ...own }] of Object.entries(properties)) {
    const reference = $ref.split("/").at(-1) ?? "";
    const schema: Schema = { ...schemas()[reference], ...own };
    const description = (schema.description ?? "").replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
    const [words = "", defaultInWords] = description.replace(/\.$/, "").split(". Left out: ");
    const kind = kindOfMember(schema, reference.toLowerCase() || "text", words);
    const flag = name.replace(/_id$/, "").replaceAll("_", "-");
    if (kind)
      flags[above + name] = { kind, flag, help: words, ...(defaultInWords !== undefined && { defaultInWords }) };
    Object.assign(flags, memberFlags(schema, `${name}.`));
  }
  return flags;
}

const number: ValueType<number> = valueType(
  "number",
  "a number",
  (value): value is number => typeof value === "number",
  (written) => (/^-?\d+(\.\d+)?$/.test(written) ? Number(written) : undefined),
);

function kindOfMember({ type, anyOf = [], enum: options }: Schema, placeholder: string, words: string) {
  const types = new Set([type, ...anyOf.map((one) => one.type)].flat());
  if (options) return text(options.join("|"), alternatives(options));
  if (types.has("string")) return types.has("null") ? textOrNull(placeholder, words) : text(placeholder, words);
  if (types.has("boolean")) return onOrOff;
  return types.has("number") || types.has("integer") ? number : undefined;
}

/** The members of a body by their paths: `match.path` is the member `path` of `match`. */
export function nested(values: Members): Members {
  const body: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const [name = "", member] = path.split(".");
    if (member === undefined) body[name] = value;
    else body[name] = { ...(body[name] as object | undefined), [member]: value };
  }
  return body;
}
