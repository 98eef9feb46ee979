import { catalogue } from "../assumptions/catalogue.ts";
import type { Terms } from "./terms.ts";

/** What the document says of itself, in Markdown. */
export function description({ assumptions, rateLimit }: Terms): string {
  const limit = rateLimit > 0 ? `${rateLimit} requests per minute per key` : "no limit of requests";
  const inForce = catalogue.map(
    ({ id, question, section }) => `- \`${id}\`: \`${assumptions[id]}\`. ${question} (section ${section}).`,
  );
  return `\
The service as the sandbox emulates it: read-only, GET throughout, ${limit}. HEAD is answered as GET, without a body.

Sections are those of the interface specification. Where it is silent, this document states an assumption of the sandbox:
everything that carries \`x-assumptions\` rests on those named there, and may be otherwise in the real service. The
assumptions in force:

${inForce.join("\n")}
`;
}
