/** A place of a JSON value, where the value differs from a valid one until the next mutation is made. */
export interface Mutation {
  readonly at: string;
}

type Parent = Record<string, unknown>;

/** Makes a value lack each of the members of its objects in turn. */
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

/** Makes each of a value's members and items in turn of every other type that no schema of ours takes for it. */
export function* withOtherType(value: unknown): Iterable<Mutation> {
  for (const other of [["altered"], { altered: true }, 7, "altered"]) {
    for (const { parent, name, at } of places(value)) {
      const before = parent[name];
      if (typeof other !== "object" && (before === null || typeof before === typeof other)) continue;
      parent[name] = other;
      yield { at };
      parent[name] = before;
    }
  }
}

/** Gives each object of a value a member more in turn. */
export function* withStrayMember(value: unknown, name: string, content: unknown): Iterable<Mutation> {
  for (const { parent, name: own, at } of places({ whole: value })) {
    const object = parent[own];
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

/** Every member and item of a value, at any depth, with the names that lead there. */
function places(value: unknown, above = ""): Place[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, content]) => {
    const at = above === "" ? name : `${above}/${name}`;
    return [{ parent: value as Parent, name, at }, ...places(content, at)];
  });
}
