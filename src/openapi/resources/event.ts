import { eventPairs } from "../../model/event-pairs.ts";
import { eventMembers } from "../../model/schema/event.ts";
import type { ComponentSchemas } from "../component-schemas.ts";
import { reference } from "./resource.ts";

/** An event: no `attributes` wrapper (sections 2.6 and 4.2). */
export function event(components: ComponentSchemas) {
  const seen = eventPairs.map((pair) => pair.join(" ")).join(", ");
  return components.name("EventResource", reference("events").extend(eventMembers.shape), {
    description: `An event (section 2.6). Pairs of event and action seen: ${seen} (section 6).`,
  });
}
