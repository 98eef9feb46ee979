import type { AssumptionId } from "../assumptions/catalogue.ts";
import type { Components } from "./openapi-types.ts";

/** What every answer can rest on, whatever the request. */
const always = ["auth.scheme", "content_type", "cors", "limit.headers", "precedence"] satisfies AssumptionId[];

/**
 * The assumptions that an answer described by a part of a document can rest on: those that the part names, itself or
 * through what it refers to in `components`.
 */
export function restsOn(part: object, components: Components): string[] {
  const ids = new Set<string>(always);
  const seen = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [member, content] of Object.entries(value)) {
      if (member === "x-assumptions") for (const id of content as string[]) ids.add(id);
      else if (member === "$ref") follow(content as string);
      else visit(content);
    }
  };
  const follow = (ref: string): void => {
    if (seen.has(ref)) return;
    seen.add(ref);
    visit(resolve(ref, components));
  };
  visit(part);
  return [...ids].toSorted();
}

function resolve(ref: string, components: Components): unknown {
  const names = ref.replace("#/components/", "").split("/");
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], components);
}
