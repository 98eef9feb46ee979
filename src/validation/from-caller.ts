/** Gives errors of commands the stack of the caller, because the sandbox's own frames name no line of a test. */

/**
 * Runs a function of the public interface. An error for a person that it throws, or with which its promise rejects,
 * gets the stack of the caller of `callee`, and no cause with the same message. Other errors stay as they are.
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
  // Errors for a person have their own name; errors of JavaScript have the name of their class.
  if (!(error instanceof Error && Object.hasOwn(error, "name"))) return error;
  const frames = typeof place.stack === "string" ? (/\n\s+at [^]*/.exec(place.stack)?.[0] ?? "") : "";
  error.stack = `${error.name}: ${error.message}${frames}`;
  if (error.cause instanceof Error && error.cause.message === error.message) Reflect.deleteProperty(error, "cause");
  return error;
}

/** Applies `fromCaller` to all functions and getters of an object or prototype. Returns the object. */
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
