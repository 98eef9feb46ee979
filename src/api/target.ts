import { givenParameters, parameterHints, type GivenParameter, type ParameterHint } from "./parameters.ts";
import { PrintablePath } from "./printable-path.ts";
import { route, type Route } from "./route.ts";

/** The target of a request below the base address, read. */
export interface Target {
  readonly path: string;
  readonly route: Route | undefined;
  /** The parameters of its operation that it gives. */
  readonly given: readonly GivenParameter[];
  /** What a developer may want to know of the others. */
  readonly hints: readonly ParameterHint[];
  readonly printable: PrintablePath;
}

/** How many targets are kept read, and how many characters one may have to be among them. */
const [most, longest] = [512, 300];

const kept = new Map<string, Target>();

/** Reads a target, once while it is kept: who asks at all asks for the same again. */
export function readTarget(text: string): Target {
  let target = kept.get(text);
  if (target) return target;
  target = read(text);
  if (text.length > longest) return target;
  if (kept.size === most) kept.clear();
  kept.set(text, target);
  return target;
}

function read(text: string): Target {
  const at = text.indexOf("?");
  const path = at === -1 ? text : text.slice(0, at);
  const query = at === -1 ? undefined : [...new URLSearchParams(text.slice(at + 1))];
  const found = route(path);
  const known = found?.operation.parameters ?? [];
  return {
    path,
    route: found,
    given: givenParameters(known, query ?? []),
    hints: found ? parameterHints(known, query ?? []) : [],
    printable: new PrintablePath(path, query),
  };
}
