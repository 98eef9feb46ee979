import type { OfferingResource } from "../../model/documents.ts";
import type { Offering } from "../../model/resources.ts";

/** An offering (section 2.4). */
export function offeringResource({ id, name, status, create_date, modify_date }: Offering): OfferingResource {
  return { type: "offerings", id, attributes: { name, status, create_date, modify_date } };
}
