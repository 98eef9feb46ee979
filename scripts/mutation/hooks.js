const own = new URL(".", import.meta.url).href;

/** Gives the tests our own `vitest` and `fast-check`. */
export function resolve(specifier, context, next) {
  if (!["vitest", "fast-check"].includes(specifier) || !context.parentURL?.includes("/test/"))
    return next(specifier, context);
  return { url: new URL(`${specifier}.js`, own).href, shortCircuit: true };
}
