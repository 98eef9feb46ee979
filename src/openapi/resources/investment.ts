import { z } from "zod";
import { shownStatuses } from "../../model/investment-status.ts";
import type { Assumptions } from "../../assumptions/catalogue.ts";
import { investmentAttributes } from "../../model/schema/investment.ts";
import { shown, type ComponentSchemas } from "../component-schemas.ts";
import { reference, resource } from "./resource.ts";

/** An investment (section 2.1). */
export function investment(components: ComponentSchemas) {
  const { assumptions } = components;
  const attributes = investmentAttributes.extend({ status: status(assumptions) });
  const schema = resource("investments", attributes).extend({
    relationships: z.strictObject({
      broker: toOne(broker(assumptions)),
      signing_parties: toMany(reference("signing_parties")),
      investors: toMany(reference("investors")),
      offering: toOne(reference("offerings")),
      payments: toMany(reference("payments")),
    }),
  });
  return components.name("InvestmentResource", schema, {
    description: "An investment (section 2.1).",
    restsOn: ["money.currency"],
  });
}

/** The attributes that the status and the events document show of an investment (section 4.2). */
export function investmentStatus({ assumptions }: ComponentSchemas) {
  return investmentAttributes
    .pick({ step: true, status: true, create_date: true })
    .extend({ status: status(assumptions) });
}

function status(assumptions: Assumptions) {
  const seenOnly = assumptions["investment.statuses"] === "none";
  return (seenOnly ? z.enum(shownStatuses) : z.string()).meta(
    shown({ description: "Values seen: CLOSED, PENDING.", restsOn: ["investment.statuses"] }),
  );
}

function broker(assumptions: Assumptions) {
  const isReference = assumptions["investment.broker"] === "reference";
  const description = isReference ? "Null when there is no broker." : "Never set.";
  return (isReference ? reference("brokers").nullable() : z.null()).meta(
    shown({ description, restsOn: ["investment.broker"] }),
  );
}

function toOne<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ data });
}

function toMany<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ data: z.array(data) });
}
