import { type OperationId, operations } from "../model/operations.ts";
import { errorsOf } from "./errors.ts";
import type { Components, Paths, Terms } from "./openapi-types.ts";
import { pathParameter, queryParameters } from "./parameters.ts";
import { errorRefs, exampleId, type Examples, okResponse, restsOn } from "./responses.ts";

/** The groups of operations. */
export const tags = [
  { name: "offerings", description: "An offering, as its issuer and partners see it." },
  { name: "investments", description: "The investments made in an offering, their status and their history." },
] as const;

const descriptions: Record<OperationId, { readonly tag: (typeof tags)[number]["name"]; readonly description: string }> =
  {
    getOffering: { tag: "offerings", description: "Returns the offering that the key was issued for." },
    listInvestments: {
      tag: "investments",
      description: "Returns a page of the investments that meet all filters. Bounds of dates are inclusive.",
    },
    getInvestment: {
      tag: "investments",
      description: `\
Returns the investment with its related resources in \`included\`. With a Marketing API key, personal data of investors reads
\`[[redacted]]\`; with a Partner API key, it is shown, and signing parties have no \`phone_number\`.`,
    },
    getInvestmentStatus: {
      tag: "investments",
      description: "Returns the step and the status, without other resources.",
    },
    listInvestmentEvents: {
      tag: "investments",
      description: "Returns the history records of the investment. Filters apply to the creation of the events.",
    },
  };

interface PathSources {
  readonly components: Components;
  /** The names of the schemas of each operation's documents. */
  readonly documents: Readonly<Record<OperationId, readonly string[]>>;
  readonly examples: Examples;
}

/** Describes the paths of section 4, each with its one operation. */
export function describePaths(terms: Terms, { components, documents, examples }: PathSources): Paths {
  return Object.fromEntries(
    operations.map((operation) => {
      const { id: operationId, summary } = operation;
      const { tag, description } = descriptions[operationId];
      const parameters = [
        pathParameter(operation, exampleId(operation, examples)),
        ...queryParameters(operation, terms.assumptions),
      ];
      const ok = okResponse(operation, documents[operationId], terms, examples);
      const responses = { "200": ok, ...errorRefs(errorsOf(operation, terms), terms) };
      const assumptions = restsOn([parameters, responses], components);
      const texts = { operationId, summary, description, tags: [tag] };
      return [
        operation.path.replace(":id", "{id}"),
        { get: { ...texts, parameters, responses, "x-assumptions": assumptions } },
      ];
    }),
  );
}
