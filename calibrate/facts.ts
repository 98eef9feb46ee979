import { isInstant } from "../src/model/instant.ts";
import { isMembers, type Members } from "../src/model/members.ts";
import { redacted, redactedFields } from "../src/model/redaction.ts";
import { isUuid } from "../src/model/text.ts";
import { listForm } from "./list-form.ts";
import { fitsAttribute, type FittingOrder, fittingOrders, type Memory, sortable } from "./memory.ts";
import { isCapitalWord, stateWord } from "./words.ts";

export interface ListFacts {
  readonly count: number;
  /** The investments' numbers in memory. */
  readonly items: readonly number[];
  /** A value of `list.document`; undefined if none is this form. */
  readonly form: string | undefined;
  /** The page size that the body names; undefined where it names none. */
  readonly namedSize: number | undefined;
  /** The number of all items that the body names; undefined where it names none. */
  readonly namedTotal: number | undefined;
  /** The orders of all items since the list's first page was asked for. */
  readonly orders: readonly FittingOrder[];
  /** The items that these orders are of. */
  readonly ordered: number;
  /** Whether all of them have dates that can be read. */
  readonly isDated: boolean;
  /** Whether they are in the order of an attribute that is no date. */
  readonly fitsAttribute: boolean;
  readonly statuses: readonly string[];
  readonly steps: readonly string[];
  readonly cents: boolean;
  readonly brokers: readonly string[];
  readonly wellFormed: boolean;
}

export interface InvestmentFacts {
  readonly status: string;
  readonly investors: readonly InvestorFacts[];
  readonly parties: readonly { readonly signed: boolean; readonly status: string; readonly phone: boolean }[];
  readonly payments: readonly string[];
  readonly brokers: readonly string[];
  readonly cents: boolean;
}

interface InvestorFacts {
  /** The person's number in memory. */
  readonly person: number;
  readonly personal: "shown" | "redacted" | "mixed" | "absent";
  readonly birthdate: "held" | "redacted" | "null" | "absent";
  readonly middle_name: "held" | "" | "null" | "absent";
}

export interface EventFacts {
  readonly count: number;
  readonly orders: readonly FittingOrder[];
  /** Whether all have dates that can be read. */
  readonly isDated: boolean;
  /** Whether the event that was looked for is among them. */
  readonly hasTarget: boolean;
  /** `PAYMENT APPROVED` */
  readonly words: readonly string[];
}

export function listFacts(json: Members, memory: Memory): ListFacts {
  const data = resourcesIn(json["data"]);
  for (const { id, attributes } of data) {
    const { create_date, modify_date } = attributes;
    const [created, modified] = [sortable(create_date), sortable(modify_date)];
    memory.series.push({ id: id.toLowerCase(), create_date: created, modify_date: modified, attributes });
  }
  const items = data.map(({ id }) => memory.number(id));
  for (const [at, { attributes, relationships }] of data.entries()) {
    const persons = ["investors", "signing_parties"].filter((name) => referencesIn(relationships[name]).length > 0);
    const group = `${stateWord(attributes["status"])} ${stateWord(attributes["step"])} ${persons.length}`;
    memory.groups.set(items[at] ?? 0, group);
  }
  const { form, size, total } = listForm(json);
  const orders = fittingOrders(memory.series);
  return {
    count: data.length,
    items,
    form,
    namedSize: size,
    namedTotal: total,
    orders,
    ordered: memory.series.length,
    isDated: memory.series.every((item) => item.create_date !== "" && item.modify_date !== ""),
    fitsAttribute: orders.length === 0 && fitsAttribute(memory.series),
    statuses: distinct(data.map(({ attributes }) => stateWord(attributes["status"]))),
    steps: distinct(data.flatMap(({ attributes: { step } }) => (step === null ? [] : stateWord(step)))),
    cents: data.some(({ attributes }) => hasCents(attributes)),
    brokers: distinct(data.flatMap(({ relationships }) => brokerOf(relationships["broker"]))),
    wellFormed: data.every(
      ({ id, attributes: { create_date, modify_date } }) =>
        isUuid(id) && [create_date, modify_date].every((date) => isInstant(textOf(date))),
    ),
  };
}

export function investmentFacts(json: Members, memory: Memory): InvestmentFacts {
  const [data] = resourcesIn([json["data"]]);
  const included = resourcesIn(json["included"]);
  const ofType = (type: string): Resource[] => included.filter((resource) => resource.type === type);
  return {
    status: stateWord(data?.attributes["status"]),
    investors: ofType("investors").map(({ id, attributes }) => investorFacts(memory.number(id), attributes)),
    parties: ofType("signing_parties").map(({ attributes }) => ({
      signed: attributes["signed"] === true,
      status: stateWord(attributes["status"]),
      phone: "phone_number" in attributes,
    })),
    payments: ofType("payments").map(({ attributes }) => stateWord(attributes["status"])),
    brokers: brokerOf(data?.relationships["broker"]),
    cents: [data, ...ofType("payments")].some((resource) => resource && hasCents(resource.attributes)),
  };
}

function investorFacts(person: number, attributes: Members): InvestorFacts {
  const personal = redactedFields.filter((name) => name in attributes).map((name) => attributes[name] === redacted);
  const { birthdate, middle_name } = attributes;
  return {
    person,
    personal:
      personal.length === 0
        ? "absent"
        : personal.every(Boolean)
          ? "redacted"
          : personal.includes(true)
            ? "mixed"
            : "shown",
    birthdate: birthdate === redacted ? "redacted" : presence(birthdate),
    middle_name: middle_name === "" ? "" : presence(middle_name),
  };
}

function presence(value: unknown): "held" | "null" | "absent" {
  return value === undefined ? "absent" : value === null ? "null" : "held";
}

export function eventFacts(json: Members, memory: Memory): EventFacts {
  const investment = memory.number(isMembers(json["data"]) ? json["data"]["id"] : "");
  const included: readonly unknown[] = Array.isArray(json["included"]) ? json["included"] : [];
  const events = included.filter(isMembers).slice(0, 1000);
  for (const { id, create_date } of events) {
    memory.events.set(memory.number(id), { investment, date: textOf(create_date) });
  }
  const dated = events.map(({ id, create_date }) => ({
    id: textOf(id).toLowerCase(),
    create_date: sortable(create_date),
    modify_date: "",
    attributes: {},
  }));
  return {
    count: events.length,
    orders: fittingOrders(dated),
    isDated: dated.every(({ create_date }) => create_date !== ""),
    hasTarget: events.some(({ id }) => memory.number(id) === memory.target),
    words: distinct(
      events.flatMap(({ event, action }) =>
        isCapitalWord(event) && isCapitalWord(action) ? `${event} ${action}` : [],
      ),
    ),
  };
}

interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes: Members;
  readonly relationships: Members;
}

/** Resources in a list, at most a thousand: what is no resource counts as one without attributes. */
function resourcesIn(list: unknown): Resource[] {
  const items: readonly unknown[] = Array.isArray(list) ? list.slice(0, 1001) : [];
  return items.map((item) => {
    const { type, id, attributes, relationships } = isMembers(item) ? item : ({} as Members);
    return {
      type: textOf(type),
      id: textOf(id),
      attributes: isMembers(attributes) ? attributes : {},
      relationships: isMembers(relationships) ? relationships : {},
    };
  });
}

function referencesIn(relationship: unknown): readonly unknown[] {
  const data = isMembers(relationship) ? relationship["data"] : undefined;
  return Array.isArray(data) ? data : [];
}

/** The shape of a broker that is set: `brokers` for a reference of that type. */
function brokerOf(relationship: unknown): string[] {
  const data = isMembers(relationship) ? relationship["data"] : null;
  if (data === null || data === undefined) return [];
  return [isMembers(data) && data["type"] === "brokers" && typeof data["id"] === "string" ? "brokers" : "another"];
}

function hasCents(attributes: Members): boolean {
  return ["amount", "price", "paid_amount"].some((name) => !Number.isInteger(attributes[name] ?? 0));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function distinct(words: readonly string[]): string[] {
  return [...new Set(words)].toSorted().slice(0, 100);
}
