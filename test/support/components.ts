/** The parts of an OpenAPI document that others refer to, by kind and name. */
interface Described {
  readonly components: { readonly headers: object; readonly responses: object; readonly schemas: object };
}

/** Returns the references of a document whose target is missing. */
export function danglingRefs(document: object): string[] {
  const targetOf = (ref: string): unknown =>
    ref
      .split("/")
      .slice(1)
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);
  return refsIn(document).filter((ref) => targetOf(ref) === undefined);
}

/** Returns the unused components of a document. */
export function unusedComponents(document: Described): string[] {
  const { headers, responses, schemas } = document.components;
  const usedRefs = new Set(refsIn(document));
  return Object.entries({ headers, responses, schemas })
    .flatMap(([kind, components]) => Object.keys(components).map((name) => `#/components/${kind}/${name}`))
    .filter((ref) => !usedRefs.has(ref));
}

function refsIn(document: object): string[] {
  return Array.from(JSON.stringify(document).matchAll(/"(#\/[^"]+)"/g), ([, ref = ""]) => ref);
}
