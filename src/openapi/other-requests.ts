import type { AssumptionId } from "../assumptions/catalogue.ts";
import { errorsOfOtherMethods, errorsOfOtherPaths } from "./errors/occurring.ts";
import type { ServiceErrorName } from "./errors/service-errors.ts";
import type { Components, OpenApiDocument, OtherRequests } from "./openapi-types.ts";
import { errorRefs, preflightResponse } from "./responses.ts";
import { restsOn } from "./rests-on.ts";
import type { Terms } from "./terms.ts";

/** What is answered to requests that no operation of OpenAPI can describe. */
export function otherRequests(
  terms: Terms,
  components: Components,
): Pick<OpenApiDocument, "x-other-methods" | "x-other-paths"> {
  const answers = (
    description: string,
    errors: readonly ServiceErrorName[],
    marks: readonly AssumptionId[] = [],
  ): OtherRequests => {
    const preflight = terms.assumptions.cors === "yes" ? { "204": preflightResponse(terms) } : {};
    const responses = { ...preflight, ...errorRefs(errors) };
    return { description, responses, "x-assumptions": restsOn([{ "x-assumptions": marks }, responses], components) };
  };
  return {
    "x-other-methods": answers("Requests of other methods than GET and HEAD.", errorsOfOtherMethods(terms), [
      "errors.method",
    ]),
    "x-other-paths": answers("Requests of paths that are not described here.", errorsOfOtherPaths(terms)),
  };
}
