import type { ChangeDescription } from "../../control.ts";
import type { Effect } from "../../environment/change.ts";
import { columns } from "../log/columns.ts";
import { style } from "../log/style.ts";

/** Changes with their dates, the first so many of them. */
export function changeLines(changes: readonly ChangeDescription[], most: number): string[] {
  const lines = columns(
    changes.slice(0, most).map((change) => {
      const { what, of } = inWords(change as unknown as Effect);
      return [change.date, what, of];
    }),
  );
  const more = changes.length - most;
  return more > 0 ? [...lines, style("dim", `… and ${more} more`)] : lines;
}

/** What a change does, and the id of what it does it to. */
function inWords(effect: Effect): { readonly what: string; readonly of: string } {
  switch (effect.kind) {
    case "event":
      return { what: `event ${effect.event.event} ${effect.event.action}`, of: effect.investment_id };
    case "new_investment":
      return { what: `new investment of ${effect.investment.amount}`, of: effect.investment.id };
    case "new_payment":
      return { what: `new payment of ${effect.payment.amount}, ${effect.payment.status}`, of: effect.investment_id };
    case "new_key":
      return { what: `new ${effect.key.type} key`, of: effect.key.id };
    case "new_fault":
      return { what: "new fault", of: effect.fault.id };
    case "offering":
      return { what: `offering: ${attributes(effect.attributes)}`, of: effect.offering_id };
    case "key":
      return { what: `key: ${attributes(effect.attributes)}`, of: effect.key_id };
    case "fault":
      return { what: `fault: ${attributes(effect.attributes)}`, of: effect.fault_id };
    default:
      return { what: `${effect.kind.replace("_", " ")}: ${attributes(effect.attributes)}`, of: effect.investment_id };
  }
}

function attributes(set: object): string {
  const all = Object.entries(set).map(
    ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return all.join(", ");
}
