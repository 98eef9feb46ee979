/** A JSON value that differs from a valid one in one place, and where that is. */
export interface Mutation {
  readonly at: string;
  readonly value: unknown;
}

type Parent = Record<string, unknown>;

/** The value without each of the members of its objects. */
export function withoutMember(value: unknown): Mutation[] {
  return mutations(value, (parent, name) => {
    if (Array.isArray(parent)) return false;
    delete parent[name];
    return true;
  });
}

/** The value with each of its members and items in turn of every other type that no schema of ours takes for it. */
export function withOtherType(value: unknown): Mutation[] {
  const others = [["altered"], { altered: true }, 7, "altered"];
  return others.flatMap((other) =>
    mutations(value, (parent, name) => {
      const scalar = typeof other !== "object";
      if (scalar && (parent[name] === null || typeof parent[name] === typeof other)) return false;
      parent[name] = other;
      return true;
    }),
  );
}

/** The value with a member more in each of its objects. */
export function withStrayMember(value: unknown, name: string, content: unknown): Mutation[] {
  const whole = mutations({ whole: value }, (parent, at) => {
    const object = parent[at];
    if (typeof object !== "object" || object === null || Array.isArray(object) || Object.hasOwn(object, name))
      return false;
    (object as Parent)[name] = content;
    return true;
  });
  return whole.map(({ at, value: changed }) => ({ at, value: (changed as { whole: unknown }).whole }));
}

/** Applies a change at each place of a value in turn, each time to a copy; keeps the copies that it says it changed. */
function mutations(value: unknown, change: (parent: Parent, name: string) => boolean): Mutation[] {
  return [...places(value)].flatMap((place) => {
    const copy = structuredClone(value);
    const parent = place.slice(0, -1).reduce((inner, name) => inner[name] as Parent, copy as Parent);
    return change(parent, place.at(-1) ?? "") ? [{ at: place.join("/"), value: copy }] : [];
  });
}

/** Every member and item of a value, at any depth, by the names that lead there. */
function* places(value: unknown, above: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, content] of Object.entries(value)) {
    const place = [...above, name];
    yield place;
    yield* places(content, place);
  }
}
