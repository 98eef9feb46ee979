/** Lets errors of commands say where they were called: a stack of the sandbox's own frames names no line of a test. */

/**
 * Runs a part of the public interface. An error for a person that it throws, or with which its promise rejects, gets
 * the stack of the caller of `callee`, and no cause with the same text. Other errors keep the place of the defect.
 */
export function fromCaller<Result>(callee: (...args: never[]) => unknown, act: () => Result): Result {
  const place = { stack: "" };
  Error.captureStackTrace(place, callee);
  const fail = (error: unknown): never => {
    throw placedAt(place, error);
  };
  try {
    const result = act();
    return result instanceof Promise ? (result.catch(fail) as Result) : result;
  } catch (error) {
    return fail(error);
  }
}

function placedAt(place: { readonly stack: unknown }, error: unknown): unknown {
  // Errors for a person name themselves; those of JavaScript have the name of their class.
  if (!(error instanceof Error && Object.hasOwn(error, "name"))) return error;
  const frames = typeof place.stack === "string" ? (/\n\s+at [^]*/.exec(place.stack)?.[0] ?? "") : "";
  error.stack = `${error.name}: ${error.message}${frames}`;
  if (error.cause instanceof Error && error.cause.message === error.message) Reflect.deleteProperty(error, "cause");
  return error;
}

/** Places the errors of all functions and getters of an object or prototype: see `fromCaller`. Returns it. */
export function placingErrors<Commands extends object>(commands: Commands): Commands {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(commands))) {
    const kind = descriptor.get ? "get" : "value";
    const act: unknown = descriptor[kind];
    if (name === "constructor" || typeof act !== "function") continue;
    function placed(this: unknown, ...args: unknown[]): unknown {
      return fromCaller(placed, () => Reflect.apply(act as typeof placed, this, args));
    }
    Object.defineProperty(commands, name, { ...descriptor, [kind]: placed });
  }
  return commands;
}
