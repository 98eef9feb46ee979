import { givenParameters, parameterHints, type GivenParameter, type Query } from "./parameters.ts";
import { printablePath } from "./printable-path.ts";
import { route, type Route } from "./route.ts";

/** The target of a request to the service, read. */
export interface Target {
  /** Below the base address. */
  readonly path: string;
  readonly route: Route | undefined;
  /** The parameters of its operation that it gives. */
  readonly given: readonly GivenParameter[];
  /** What a developer may want to know of the others. */
  readonly hints: readonly string[];
  /** From the origin on, without anything that could be a secret, unless it looks like a word, id, number or date. */
  readonly printable: string;
}

/** How many targets are kept read, and how many characters one may have to be among them. */
const [most, longest] = [512, 300];

/** Reads targets, each once while it is kept: who asks at all asks for the same again. */
export class Targets {
  readonly #basePath: string;
  readonly #kept = new Map<string, Target>();

  /** `basePath` is where the API begins: `/api/v1`. */
  constructor(basePath: string) {
    this.#basePath = basePath;
  }

  /** As `readTarget`. */
  read(text: string): Target {
    const known = this.#kept.get(text);
    if (known) return known;
    const target = readTarget(text, this.#basePath);
    if (text.length > longest) return target;
    if (this.#kept.size === most) this.#kept.clear();
    this.#kept.set(text, target);
    return target;
  }
}

/** Reads the target of a request to the service, which begins at `basePath`. */
export function readTarget(text: string, basePath: string): Target {
  const { path: whole, query } = takeApart(text);
  const path = whole.slice(basePath.length);
  const found = route(path);
  const known = found?.operation.parameters ?? [];
  return {
    path,
    route: found,
    given: givenParameters(known, query ?? []),
    hints: found ? parameterHints(known, query ?? []) : [],
    printable: printablePath(whole, query),
  };
}

/** A target of whatever it is, as `printable` is one of the service. */
export function printableTarget(text: string): string {
  const { path, query } = takeApart(text);
  return printablePath(path, query);
}

function takeApart(text: string): { readonly path: string; readonly query: Query | undefined } {
  const at = text.indexOf("?");
  if (at === -1) return { path: text, query: undefined };
  return { path: text.slice(0, at), query: [...new URLSearchParams(text.slice(at + 1))] };
}
