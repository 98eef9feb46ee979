import type { KeyDescription, OfferingDescription } from "../../control.ts";
import { columns } from "../log/columns.ts";
import { style } from "../log/style.ts";

/** Keys with all that one wants to know to use them. */
export function keyTable(keys: readonly KeyDescription[], offerings: readonly OfferingDescription[]): string {
  const nameOf = (id: string): string => offerings.find((offering) => offering.id === id)?.name ?? id;
  const rows = keys.map((key) => [key.key, key.status, key.id, purpose(key, nameOf(key.offering_id))]);
  const [heading = "", ...lines] = columns([["key", "status", "id", "for"], ...rows]);
  return [style("dim", heading), ...lines].join("\n");
}

/** `Aurora Robotics partner, mine`. Most labels begin that way themselves. */
function purpose({ type, label }: KeyDescription, offering: string): string {
  const usual = `${offering} ${type}`;
  if (label === null) return usual;
  return label.startsWith(usual) ? label : `${usual}, ${label}`;
}
