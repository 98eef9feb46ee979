import { z } from "zod";
import { Placeholder, isList, type Template } from "../assumptions/template.ts";

/** Schemas by the names of placeholders: of the values, and of texts that consist of a placeholder. */
interface Fillings {
  readonly values: Readonly<Record<string, z.ZodType>>;
  readonly texts: Readonly<Record<string, z.ZodType>>;
}

/** Returns the schema of a filled template. */
export function templateSchema(template: Template, fillings: Fillings): z.ZodType {
  if (template instanceof Placeholder) return fillings.values[template.name] ?? z.unknown();
  if (typeof template === "string") {
    const [, name = ""] = /^\{(\w+)\}$/.exec(template) ?? [];
    return fillings.texts[name] ?? (hasPlaceholder(template) ? z.string() : z.literal(template));
  }
  if (template === null) return z.null();
  if (typeof template !== "object") return z.literal(template);
  if (isList(template)) {
    const [first = z.unknown(), ...others] = template.map((item) => templateSchema(item, fillings));
    return z.array(others.length === 0 ? first : z.union([first, ...others])).length(template.length);
  }
  return objectSchema(template, fillings);
}

/** Returns the schema of an object. A member whose name has a placeholder may have any name. */
export function objectSchema(template: Readonly<Record<string, Template>>, fillings: Fillings): z.ZodObject {
  const members = Object.entries(template).map(([name, content]) => [name, templateSchema(content, fillings)] as const);
  const object = z.strictObject(Object.fromEntries(members.filter(([name]) => !hasPlaceholder(name))));
  const [first, ...others] = members.filter(([name]) => hasPlaceholder(name)).map(([, schema]) => schema);
  return first ? object.catchall(z.union([first, ...others])) : object;
}

function hasPlaceholder(text: string): boolean {
  return /\{\w+\}/.test(text);
}
