import { isInstant } from "../../src/time/instant.ts";
import { isMembers, type Members } from "../../src/validation/members.ts";
import { redacted, redactedFields } from "../../src/model/vocabulary.ts";
import { isUuid } from "../../src/text/text.ts";
import { listForm } from "./forms.ts";
import { datedItem, fitsAttribute, fittingOrders, type IdRegistry } from "./memory.ts";
import { isCapitalWord, stateWord } from "./words.ts";

export type ListFacts = ReturnType<typeof listFacts>;

/** Reduces a page of a list to the facts for decisions. Adds its items to the series in `memory`. */
export function listFacts(json: Members, memory: IdRegistry) {
  const data = resourcesIn(json["data"]);
  /** Their numbers in memory. */
  const items = data.map(({ id }) => memory.number(id));
  for (const [at, { id, attributes, relationships }] of data.entries()) {
    memory.series.push(datedItem(id, attributes));
    const people = ["investors", "signing_parties"].filter((name) => listIn(dataOf(relationships[name])).length > 0);
    const group = `${stateWord(attributes["status"])} ${stateWord(attributes["step"])} ${people.length}`;
    memory.groups.set(items[at] ?? 0, group);
  }
  const { series } = memory;
  const orders = fittingOrders(series);
  return {
    ...listForm(json),
    count: data.length,
    items,
    /** The orders of all items since the list's first page was requested, and the number of these items. */
    orders,
    ordered: series.length,
    /** Whether all of them have readable dates. */
    isDated: series.every((item) => item.create_date !== undefined && item.modify_date !== undefined),
    /** Whether they are in the order of an attribute other than dates. */
    fitsAttribute: orders.length === 0 && fitsAttribute(series),
    statuses: distinct(statusesOf(data)),
    steps: distinct(data.flatMap(({ attributes: { step } }) => (step === null ? [] : stateWord(step)))),
    hasCents: data.some(hasCents),
    hasOtherTypes: data.some(({ type }) => type !== "investments"),
    brokers: distinct(data.flatMap(brokerOf)),
    wellFormed: data.every(
      ({ id, attributes: { create_date, modify_date } }) =>
        isUuid(id) && [create_date, modify_date].every((date) => isInstant(textOf(date))),
    ),
  };
}

/** Facts about the resources in an investment's document (section 4.1). */
const includedTypes = new Set(["signing_parties", "investors", "offerings", "payments"]);

export type InvestmentFacts = ReturnType<typeof investmentFacts>;

export function investmentFacts(json: Members, memory: IdRegistry) {
  const data = resourcesIn([json["data"]]);
  const included = resourcesIn(json["included"]);
  const ofType = (name: string): Resource[] => included.filter(({ type }) => type === name);
  return {
    statuses: statusesOf(data),
    investors: ofType("investors").map(({ id, attributes }) => investorFacts(memory.number(id), attributes)),
    parties: ofType("signing_parties").map(({ attributes }) => ({
      signed: attributes["signed"] === true,
      status: stateWord(attributes["status"]),
      phone: "phone_number" in attributes,
    })),
    payments: ofType("payments").map(({ attributes }) => stateWord(attributes["status"])),
    brokers: data.flatMap(brokerOf),
    hasCents: [...data, ...ofType("payments")].some(hasCents),
    hasOtherTypes:
      data.some(({ type }) => type !== "investments") || included.some(({ type }) => !includedTypes.has(type)),
  };
}

/** `person` is the investor's number in memory. */
function investorFacts(person: number, attributes: Members) {
  const personal = redactedFields.filter((name) => name in attributes);
  const isRedacted = personal.some((name) => attributes[name] === redacted);
  const isShown = personal.some((name) => attributes[name] !== redacted);
  const { birthdate, middle_name } = attributes;
  return {
    person,
    personal: isRedacted && isShown ? "mixed" : isRedacted ? "redacted" : isShown ? "shown" : "absent",
    birthdate: birthdate === redacted ? "redacted" : presence(birthdate),
    middle_name: middle_name === "" ? '""' : presence(middle_name),
  } as const;
}

function presence(value: unknown): "held" | "null" | "absent" {
  return value === undefined ? "absent" : value === null ? "null" : "held";
}

/** Reduces the events of an investment. Their dates go to `memory`. */
export function eventFacts(json: Members, memory: IdRegistry) {
  const investment = memory.number(isMembers(json["data"]) ? json["data"]["id"] : "");
  const events = listIn(json["included"]).filter(isMembers).slice(0, 1000);
  const dated = events.map(({ id, create_date }) => datedItem(textOf(id), { create_date }));
  for (const [at, { id }] of events.entries()) {
    const date = dated[at]?.create_date;
    if (date !== undefined) memory.events.set(memory.number(id), { investment, date });
  }
  return {
    count: events.length,
    orders: fittingOrders(dated),
    isDated: dated.every(({ create_date }) => create_date !== undefined),
    /** Whether the target of `memory` is among the events. */
    hasTarget: events.some(({ id }) => memory.number(id) === memory.target),
    /** Whether an event has its members in `attributes`, and not next to its id (section 4.2). */
    isWrapped: events.some(({ attributes }) => isMembers(attributes)),
    hasOtherTypes: events.some(({ type }) => type !== "events"),
    /** `PAYMENT APPROVED` */
    pairs: distinct(
      events.flatMap(({ event, action }) =>
        isCapitalWord(event) && isCapitalWord(action) ? `${event} ${action}` : [],
      ),
    ),
  };
}

type Resource = ReturnType<typeof resourcesIn>[number];

/** Resources in a list, at most a thousand and one. Anything else counts as a resource without attributes. */
function resourcesIn(list: unknown) {
  return listIn(list)
    .slice(0, 1001)
    .map((item) => {
      const { type, id, attributes, relationships } = membersOf(item);
      return {
        type: textOf(type),
        id: textOf(id),
        attributes: membersOf(attributes),
        relationships: membersOf(relationships),
      };
    });
}

function statusesOf(resources: readonly Resource[]): string[] {
  return resources.flatMap(({ attributes: { status } }) => (status === undefined ? [] : stateWord(status)));
}

/** `brokers` for a reference of that type, `another` for another broker. */
function brokerOf({ relationships }: Resource): string[] {
  const data = dataOf(relationships["broker"]) ?? null;
  if (data === null) return [];
  const { type, id } = membersOf(data);
  return [type === "brokers" && typeof id === "string" ? "brokers" : "another"];
}

function hasCents({ attributes }: Resource): boolean {
  return ["amount", "price", "paid_amount"].some((name) => {
    const amount = attributes[name];
    return typeof amount === "number" && !Number.isInteger(amount);
  });
}

function dataOf(relationship: unknown): unknown {
  return membersOf(relationship)["data"];
}

function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted().slice(0, 100);
}
