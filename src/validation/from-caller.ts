/** Gives errors of commands the stack of the caller: the frames of the sandbox do not show the line of the test. */

/**
 * Runs a function of the public interface. If it throws an error for a person, or rejects with one, the error gets the
 * stack of the caller of `callee`, and loses a cause with the same message. Other errors are not changed.
 */
export function fromCaller<Result>(callee: (...args: never[]) => unknown, run: () => Result): Result {
  const callSite = { stack: "" };
  Error.captureStackTrace(callSite, callee);
  const fail = (error: unknown): never => {
    throw withCallerStack(callSite, error);
  };
  try {
    const result = run();
    return result instanceof Promise ? (result.catch(fail) as Result) : result;
  } catch (error) {
    return fail(error);
  }
}

function withCallerStack(callSite: { readonly stack: unknown }, error: unknown): unknown {
  // Errors for a person have their own name; errors of JavaScript have the name of their class.
  if (!(error instanceof Error && Object.hasOwn(error, "name"))) return error;
  const frames = typeof callSite.stack === "string" ? (/\n\s+at [^]*/.exec(callSite.stack)?.[0] ?? "") : "";
  error.stack = `${error.name}: ${error.message}${frames}`;
  if (error.cause instanceof Error && error.cause.message === error.message) Reflect.deleteProperty(error, "cause");
  return error;
}

/** Applies `fromCaller` to all functions and getters of an object or prototype. Returns the object. */
export function withCallerStacks<Commands extends object>(commands: Commands): Commands {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(commands))) {
    const kind = descriptor.get ? "get" : "value";
    const method: unknown = descriptor[kind];
    if (name === "constructor" || typeof method !== "function") continue;
    function callWithStack(this: unknown, ...args: unknown[]): unknown {
      return fromCaller(callWithStack, () => Reflect.apply(method as typeof callWithStack, this, args));
    }
    Object.defineProperty(commands, name, { ...descriptor, [kind]: callWithStack });
  }
  return commands;
}
