import { nearest } from "../model/nearest.ts";
import { operations, type Operation } from "../model/operations.ts";

/** An operation that a path names, and the id in it, as written. */
export interface Route {
  readonly operation: Operation;
  readonly id: string;
}

const table = operations.map((operation) => ({ operation, segments: operation.path.split("/") }));

/** The operation that a path below the base address names; undefined when none does. Paths are exact (section 4). */
export function route(path: string): Route | undefined {
  const given = path.split("/");
  const found = table.find(
    ({ segments }) =>
      segments.length === given.length && segments.every((segment, at) => segment === ":id" || segment === given[at]),
  );
  const id = given[2];
  return found && id ? { operation: found.operation, id } : undefined;
}

/** The path of section 4 that a person most likely meant. */
export function nearestPath(path: string): string | undefined {
  const segments = path.split("/").filter((segment) => segment !== "");
  const shape = `/${segments.map((segment, at) => (at === 1 ? ":id" : segment)).join("/")}`;
  return nearest(
    shape,
    operations.map((operation) => operation.path),
  );
}
