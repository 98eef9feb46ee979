import type { AssumptionDescription } from "../../../src/control.ts";
import { count, number } from "../../format.ts";
import { to } from "../../routes.ts";

/** How many answers of the journal rested on it, with the way there. */
export function RestedOn({ id, rested_on }: AssumptionDescription) {
  if (!(rested_on > 0)) return <span class="muted">none</span>;
  return (
    <a href={to("journal", null, { assumption: id })} aria-label={`${count(rested_on, "answer")} rested on ${id}`}>
      {number(rested_on)}
    </a>
  );
}
