import { z } from "zod";
import type { Audience } from "../audience.ts";
import type { ComponentSchemas } from "../component-schemas.ts";
import { investment } from "../resources/investment.ts";
import { included } from "./included.ts";

const count = z.int().nonnegative();
const link = z.string();

const paging = {
  meta: z.strictObject({ page: count, size: z.int().positive(), total: count, pages: count }),
  links: z
    .strictObject({ self: link, first: link, prev: link.nullable(), next: link.nullable(), last: link })
    .meta({ description: "Relative to the origin, with the same filters; null where there is no such page." }),
};

/** Names the schema of `GET /offerings/:id/investments`; with `included` where an audience is given. */
export function investmentListDocument(components: ComponentSchemas, audience?: Audience): string {
  const name = `${audience?.name ?? ""}InvestmentListDocument`;
  const document = z.strictObject({
    data: z.array(investment(components)),
    ...(audience && { included: included(components, audience) }),
    ...(components.assumptions["list.document"] === "resources" && paging),
  });
  components.name(name, document, {
    description: "A page of the investments of an offering. The specification does not show this document (section 4).",
    restsOn: ["list.document", "list.included", "list.order", ...(audience?.restsOn ?? [])],
    keyType: audience?.keyType,
  });
  return name;
}
