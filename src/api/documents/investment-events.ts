import { compareText } from "../../model/compare.ts";
import type { InvestmentEventsDocument } from "../../model/documents.ts";
import type { Instant } from "../../model/instant.ts";
import type { Investment, InvestmentEvent } from "../../model/resources.ts";
import { stableRank } from "../../model/stable-rank.ts";
import type { AssumptionValue } from "../../assumptions/catalogue.ts";
import type { Ledger } from "../ledger.ts";
import type { ReadRequest } from "../read-request.ts";
import { references, restOnStatus } from "../resources/investment.ts";
import { within } from "../within.ts";
import { WrittenOnce } from "../written-once.ts";
import type { Written } from "../written.ts";

const documents = new WrittenOnce<InvestmentEventsDocument>();

/** `GET /investments/:id/events` (section 4.2). The filters look at the events' own dates. */
export function investmentEventsDocument(
  investment: Investment,
  { ledger, values, seed }: ReadRequest,
): Written<InvestmentEventsDocument> {
  const [from, until] = [values["create_date[gte]"], values["create_date[lte]"]];
  return documents.of(investment, [from, until, seed], ledger, (asked) => show(investment, asked, from, until, seed));
}

function show(
  investment: Investment,
  ledger: Ledger,
  from: Instant | undefined,
  until: Instant | undefined,
  seed: number,
): InvestmentEventsDocument {
  const { id, step, status, create_date } = investment;
  restOnStatus(investment, ledger);
  const recorded = investment.events.filter((event) => within(event.create_date, from, until));
  const events = recorded.length > 1 ? ordered(recorded, ledger.value("events.order"), seed) : recorded;
  return {
    data: {
      type: "investments",
      id,
      attributes: { step, status, create_date },
      relationships: { events: { data: references("events", events) } },
    },
    included: events.map((event) => ({
      type: "events",
      id: event.id,
      event: event.event,
      action: event.action,
      description: event.description,
      create_date: event.create_date,
    })),
  };
}

function ordered(events: InvestmentEvent[], order: AssumptionValue<"events.order">, seed: number): InvestmentEvent[] {
  if (order === "unordered") {
    return events.toSorted((one, other) => stableRank(seed, one.id) - stableRank(seed, other.id));
  }
  const oldestFirst = events.toSorted((one, other) => compareText(one.create_date, other.create_date));
  return order === "create_date" ? oldestFirst : oldestFirst.toReversed();
}
