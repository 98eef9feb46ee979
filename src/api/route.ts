import { nearest } from "../model/nearest.ts";
import { operations, type Operation } from "../model/operations.ts";

/** An operation that a path names, and the id in it, as written and in lower case. */
export interface Route {
  readonly operation: Operation;
  readonly id: string;
  readonly lowerCaseId: string;
}

const byPath = new Map(operations.map((operation) => [operation.path, operation]));

/** The operation that a path below the base address names; undefined when none does. Paths are exact (section 4). */
export function route(path: string): Route | undefined {
  const start = path.indexOf("/", 1) + 1;
  const slash = path.indexOf("/", start);
  const end = slash === -1 ? path.length : slash;
  const operation = byPath.get(`${path.slice(0, start)}:id${path.slice(end)}`);
  if (!operation || end === start) return undefined;
  const id = path.slice(start, end);
  return { operation, id, lowerCaseId: id.toLowerCase() };
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
