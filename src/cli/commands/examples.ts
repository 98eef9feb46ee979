import { connectedCommand } from "../connection.ts";
import { style } from "../output/terminal.ts";

export const examplesCommand = connectedCommand({
  name: "examples",
  summary: "Print calls to paste, one for each kind of answer.",
  examples: [["examples", "a curl line for each: 200, 401, 403, 404, 429"]],
  ask: () => (environment) => environment.examples(),
  show: (calls) =>
    calls.map(({ status, title, curl }) => `${style("dim", `${status}  ${title}`)}\n${curl}`).join("\n\n") ||
    "No key has anything to read.",
});
