import { type Problem } from "../../api.ts";

/** The lines of an error by the field that they name first: `amount is -1; …`, `investors[0].email is "ada"; …`. */
export function mistakesIn(problem: Problem, fields: readonly string[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const line of problem.message.split("\n")) {
    const [path = ""] = line.split(/[ :]/, 1);
    const member = path.split(".").at(-1) ?? "";
    const field = fields.includes(member) ? member : "";
    found[field] = [found[field], line].filter(Boolean).join(" ");
  }
  return found;
}
