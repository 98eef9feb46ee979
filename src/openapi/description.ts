import { catalogue, type Assumptions } from "../assumptions/catalogue.ts";

/** What the document says of itself, in Markdown. */
export function description(assumptions: Assumptions): string {
  return `${about}\n\n${catalogue.map((row) => `- \`${row.id}\`: ${assumptions[row.id]}. ${row.question} (section ${row.section}).`).join("\n")}\n`;
}

const about = `\
The service as the sandbox emulates it: read-only, GET throughout; HEAD is answered as GET, without a body.

Sections are those of the interface specification. Where it is silent, this document states an assumption of the sandbox:
everything that carries \`x-assumptions\` rests on those named there, and may be otherwise in the real service. The
assumptions in force:`;
