import { offeringAttributes } from "../../model/schema/offering.ts";
import type { ComponentSchemas } from "../component-schemas.ts";
import { resource } from "./resource.ts";

/** An offering (section 2.4). */
export function offering(components: ComponentSchemas) {
  return components.name("OfferingResource", resource("offerings", offeringAttributes), {
    description: "An offering (section 2.4).",
  });
}
