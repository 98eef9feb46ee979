import type { Behaviour } from "./catalogue.ts";
import { ask, list, offering } from "./meet.ts";

/** Answers that rest on assumptions alone. */
export const apart: readonly Behaviour[] = [
  {
    id: "apart.400",
    group: "apart",
    section: "4",
    sentence: "A wrong parameter is answered 400.",
    meet: ask(`${list}?page=x`),
  },
  {
    id: "apart.405",
    group: "apart",
    section: "1",
    sentence: "A method other than GET is answered 405.",
    meet: `await fetch(\`\${sandbox.baseUrl}${offering}\`, { method: "POST", headers: { Authorization: \`Bearer \${sandbox.keys.partner}\` } });`,
  },
];
