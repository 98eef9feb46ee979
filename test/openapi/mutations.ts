/** A changed place in a JSON value; the next mutation first restores the value. */
export interface Mutation {
  readonly at: string;
}

type Parent = Record<string, unknown>;

/** Removes each member of each object, one after the other. */
export function* withoutMember(value: unknown): Iterable<Mutation> {
  for (const { parent, name, at } of places(value)) {
    if (Array.isArray(parent)) continue;
    const members = Object.entries(parent);
    delete parent[name];
    yield { at };
    for (const [member] of members) delete parent[member];
    Object.assign(parent, Object.fromEntries(members));
  }
}

/** Replaces each member and item by values of other types, which no schema accepts there. */
export function* withOtherType(value: unknown): Iterable<Mutation> {
  for (const replacement of [["altered"], { altered: true }, 7, "altered"]) {
    for (const { parent, name, at } of places(value)) {
      const before = parent[name];
      if (typeof replacement !== "object" && (before === null || typeof before === typeof replacement)) continue;
      parent[name] = replacement;
      yield { at };
      parent[name] = before;
    }
  }
}

/** Adds a member to each object, one after the other. */
export function* withStrayMember(value: unknown, name: string, content: unknown): Iterable<Mutation> {
  for (const { parent, name: placeName, at } of places({ whole: value })) {
    const object = parent[placeName];
    if (typeof object !== "object" || object === null || Array.isArray(object) || Object.hasOwn(object, name)) continue;
    (object as Parent)[name] = content;
    yield { at };
    delete (object as Parent)[name];
  }
}

interface Place extends Mutation {
  readonly parent: Parent;
  readonly name: string;
}

/** Yields every member and item of a value, at any depth, with its path. */
function places(value: unknown, above = ""): Place[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, content]) => {
    const at = above === "" ? name : `${above}/${name}`;
    return [{ parent: value as Parent, name, at }, ...places(content, at)];
  });
}
