import { isInstant } from "../../src/time/instant.ts";
import { isMembers, type Members } from "../../src/validation/members.ts";
import { redacted, redactedFields } from "../../src/model/vocabulary.ts";
import { isUuid } from "../../src/text/text.ts";
import { listForm } from "./forms.ts";
import { datedItem, hasAttributeOrder, fittingOrders, type IdRegistry } from "./registry.ts";
import { isCapitalWord, stateWord } from "./state-word.ts";

export type ListFacts = ReturnType<typeof listFacts>;

/** Reduces a page of a list to the facts for decisions. Adds its items to the series in the registry. */
export function listFacts(json: Members, registry: IdRegistry) {
  const data = resourcesIn(json["data"]);
  /** The numbers of the items in the registry. */
  const items = data.map(({ id }) => registry.numberOf(id));
  for (const [index, { id, attributes, relationships }] of data.entries()) {
    registry.series.push(datedItem(id, attributes));
    const people = ["investors", "signing_parties"].filter((name) => asList(dataOf(relationships[name])).length > 0);
    const group = `${stateWord(attributes["status"])} ${stateWord(attributes["step"])} ${people.length}`;
    registry.groups.set(items[index] ?? 0, group);
  }
  const { series } = registry;
  const orders = fittingOrders(series);
  return {
    ...listForm(json),
    count: data.length,
    items,
    /** The orders that fit all items since the first page of the list was requested, and the number of these items. */
    orders,
    orderedCount: series.length,
    /** Whether all these items have readable dates. */
    isDated: series.every((item) => item.create_date !== undefined && item.modify_date !== undefined),
    /** Whether these items are in the order of an attribute other than dates. */
    hasAttributeOrder: orders.length === 0 && hasAttributeOrder(series),
    statuses: distinctOf(statusesOf(data)),
    steps: distinctOf(data.flatMap(({ attributes: { step } }) => (step === null ? [] : stateWord(step)))),
    hasCents: data.some(hasCents),
    hasOtherTypes: data.some(({ type }) => type !== "investments"),
    brokers: distinctOf(data.flatMap(brokerOf)),
    isWellFormed: data.every(
      ({ id, attributes: { create_date, modify_date } }) =>
        isUuid(id) && [create_date, modify_date].every((date) => isInstant(asString(date))),
    ),
  };
}

const includedTypes = new Set(["signing_parties", "investors", "offerings", "payments"]);

export type InvestmentFacts = ReturnType<typeof investmentFacts>;

/** Reduces the document of an investment to facts about its resources (section 4.1). */
export function investmentFacts(json: Members, registry: IdRegistry) {
  const data = resourcesIn([json["data"]]);
  const included = resourcesIn(json["included"]);
  const ofType = (name: string): Resource[] => included.filter(({ type }) => type === name);
  return {
    statuses: statusesOf(data),
    investors: ofType("investors").map(({ id, attributes }) => investorFacts(registry.numberOf(id), attributes)),
    parties: ofType("signing_parties").map(({ attributes }) => ({
      isSigned: attributes["signed"] === true,
      status: stateWord(attributes["status"]),
      hasPhone: "phone_number" in attributes,
    })),
    payments: ofType("payments").map(({ attributes }) => stateWord(attributes["status"])),
    brokers: data.flatMap(brokerOf),
    hasCents: [...data, ...ofType("payments")].some(hasCents),
    hasOtherTypes:
      data.some(({ type }) => type !== "investments") || included.some(({ type }) => !includedTypes.has(type)),
  };
}

/** Returns facts about an investor. `person` is the number of the investor in the registry. */
function investorFacts(person: number, attributes: Members) {
  const personal = redactedFields.filter((name) => name in attributes);
  const isRedacted = personal.some((name) => attributes[name] === redacted);
  const isShown = personal.some((name) => attributes[name] !== redacted);
  const { birthdate, middle_name } = attributes;
  return {
    person,
    personal: isRedacted && isShown ? "mixed" : isRedacted ? "redacted" : isShown ? "shown" : "absent",
    birthdate: birthdate === redacted ? "redacted" : presenceOf(birthdate),
    middle_name: middle_name === "" ? '""' : presenceOf(middle_name),
  } as const;
}

function presenceOf(value: unknown): "stored" | "null" | "absent" {
  return value === undefined ? "absent" : value === null ? "null" : "stored";
}

/** Reduces the events of an investment. Their dates go to the registry. */
export function eventFacts(json: Members, registry: IdRegistry) {
  const investment = registry.numberOf(isMembers(json["data"]) ? json["data"]["id"] : "");
  const events = asList(json["included"]).filter(isMembers).slice(0, 1000);
  const datedEvents = events.map(({ id, create_date }) => datedItem(asString(id), { create_date }));
  for (const [index, { id }] of events.entries()) {
    const date = datedEvents[index]?.create_date;
    if (date !== undefined) registry.events.set(registry.numberOf(id), { investment, date });
  }
  return {
    count: events.length,
    orders: fittingOrders(datedEvents),
    isDated: datedEvents.every(({ create_date }) => create_date !== undefined),
    /** Whether the target event of the registry is among the events. */
    hasTarget: events.some(({ id }) => registry.numberOf(id) === registry.targetEvent),
    /** Whether an event has its members in `attributes`, instead of next to its id (section 4.2). */
    isWrapped: events.some(({ attributes }) => isMembers(attributes)),
    hasOtherTypes: events.some(({ type }) => type !== "events"),
    /** `PAYMENT APPROVED` */
    pairs: distinctOf(
      events.flatMap(({ event, action }) =>
        isCapitalWord(event) && isCapitalWord(action) ? `${event} ${action}` : [],
      ),
    ),
  };
}

type Resource = ReturnType<typeof resourcesIn>[number];

/** Returns the first 1001 resources in a list. An item that is not a resource counts as one without attributes. */
function resourcesIn(list: unknown) {
  return asList(list)
    .slice(0, 1001)
    .map((item) => {
      const { type, id, attributes, relationships } = asMembers(item);
      return {
        type: asString(type),
        id: asString(id),
        attributes: asMembers(attributes),
        relationships: asMembers(relationships),
      };
    });
}

function statusesOf(resources: readonly Resource[]): string[] {
  return resources.flatMap(({ attributes: { status } }) => (status === undefined ? [] : stateWord(status)));
}

/** Returns `brokers` for a reference of that type, `another` for another broker. */
function brokerOf({ relationships }: Resource): string[] {
  const data = dataOf(relationships["broker"]) ?? null;
  if (data === null) return [];
  const { type, id } = asMembers(data);
  return [type === "brokers" && typeof id === "string" ? "brokers" : "another"];
}

function hasCents({ attributes }: Resource): boolean {
  return ["amount", "price", "paid_amount"].some((name) => {
    const amount = attributes[name];
    return typeof amount === "number" && !Number.isInteger(amount);
  });
}

function dataOf(relationship: unknown): unknown {
  return asMembers(relationship)["data"];
}

function asMembers(value: unknown): Members {
  return isMembers(value) ? value : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asString(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function distinctOf(strings: readonly string[]): string[] {
  return [...new Set(strings)].toSorted().slice(0, 100);
}
