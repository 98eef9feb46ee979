import { isMembers, type Members } from "../model/members.ts";
import { redacted, redactedFields } from "../model/redaction.ts";
import { isUuid } from "../model/text.ts";
import { isInstant } from "../model/instant.ts";
import { type ErrorForm, errorForm } from "./error-form.ts";
import { listForm } from "./list-form.ts";
import { type FittingOrder, fittingOrders, type Memory } from "./memory.ts";
import { type Types, typesOf } from "./types.ts";
import { isCapitalWord, stateWord } from "./words.ts";

/** A response as it arrives. */
export interface RawResponse {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** The numbers in a request that a decision needs to understand the answer. */
export interface Asked {
  readonly size?: number;
  readonly page?: number;
  /** Which of the given keys: 0 is the first. */
  readonly key?: number;
  /** The parameter that a refusal is about. */
  readonly parameter?: string;
}

/** All that is kept of a response: no value of it but words in capitals, media types and sizes of pages. */
export interface Shape {
  readonly asked: Asked;
  readonly status: number;
  readonly headers: readonly string[];
  readonly mediaType: string;
  readonly retryAfter: "seconds" | "http-date" | "other" | undefined;
  /** Milliseconds that Retry-After asks to wait. */
  readonly retryIn: number | undefined;
  readonly allowsOrigin: boolean;
  readonly asksForBearer: boolean;
  readonly rateLimitForm: "draft-8" | "draft-7" | undefined;
  /** Whether `X-RateLimit-Reset` is a time: seconds since 1970, soon after the service's own clock. */
  readonly resetsAtTime: boolean;
  readonly error: ErrorForm;
  readonly types: Types | undefined;
  readonly list?: ListFacts;
  readonly investment?: InvestmentFacts;
  readonly events?: EventFacts;
}

export interface ListFacts {
  readonly count: number;
  /** The investments' numbers in memory. */
  readonly items: readonly number[];
  /** A value of `list.document`; undefined if none is this form. */
  readonly form: string | undefined;
  /** The page size that the body names; undefined where it names none. */
  readonly namedSize: number | undefined;
  /** The orders of all items since the list's first page was asked for. */
  readonly orders: readonly FittingOrder[];
  /** The items that these orders are of. */
  readonly ordered: number;
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

interface EventFacts {
  readonly count: number;
  readonly orders: readonly FittingOrder[];
  /** Whether the event that was looked for is among them. */
  readonly hasTarget: boolean;
  /** `PAYMENT APPROVED` */
  readonly words: readonly string[];
}

/** The kind of document that a response holds if it succeeds. */
export type Document = "list" | "investment" | "events" | "other";

/** Reduces a response to its shape. Its ids and dates go to memory, nothing else of it anywhere. */
export function shapeOf(raw: RawResponse, document: Document, asked: Asked, memory: Memory): Shape {
  const { status, headers, body } = raw;
  const json = parsed(body);
  const mediaType = headers["content-type"] ?? "";
  const retryAfter = headers["retry-after"];
  const rateLimit = headers["ratelimit"] ?? "";
  const shape: Shape = {
    asked,
    status,
    headers: Object.keys(headers)
      .filter((name) => /^[a-z][a-z-]{0,49}$/.test(name))
      .slice(0, 60),
    mediaType: /^[\w.+-]{1,40}\/[\w.+-]{1,60}( *; *charset="?utf-8"?)?$/i.test(mediaType)
      ? mediaType
      : mediaType && "other",
    retryAfter:
      retryAfter === undefined
        ? undefined
        : /^\d+$/.test(retryAfter)
          ? "seconds"
          : Number.isNaN(Date.parse(retryAfter))
            ? "other"
            : "http-date",
    retryIn: retryTime(headers),
    allowsOrigin: [probeOrigin, "*"].includes(headers["access-control-allow-origin"] ?? ""),
    asksForBearer: /\bbearer\b/i.test(headers["www-authenticate"] ?? ""),
    rateLimitForm: /\br=/.test(rateLimit) ? "draft-8" : /\bremaining=/.test(rateLimit) ? "draft-7" : undefined,
    resetsAtTime: resetsAtTime(headers),
    error: errorForm(status, body, json, mediaType, asked.parameter),
    types: json === undefined ? undefined : typesOf(json),
  };
  if (status !== 200 || !isMembers(json)) return shape;
  if (document === "list") return { ...shape, list: listFacts(json, memory) };
  if (document === "investment") return { ...shape, investment: investmentFacts(json, memory) };
  return document === "events" ? { ...shape, events: eventFacts(json, memory) } : shape;
}

/** Milliseconds that Retry-After asks to wait: a number of seconds, or until a date by the service's own clock. */
function retryTime({ "retry-after": text = "", date = "" }: RawResponse["headers"]): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const time = Date.parse(text) - Date.parse(date);
  return Number.isNaN(time) ? undefined : Math.max(0, time);
}

function resetsAtTime({ "x-ratelimit-reset": text = "", date = "" }: RawResponse["headers"]): boolean {
  const now = Number.isNaN(Date.parse(date)) ? Date.now() : Date.parse(date);
  const left = Number(text) - now / 1000;
  return /^\d+$/.test(text) && left > -60 && left < 3600;
}

/** The origin that no page has. */
export const probeOrigin = "https://calibrate.invalid";

export function isJson(body: string): boolean {
  return parsed(body) !== undefined;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function listFacts(json: Members, memory: Memory): ListFacts {
  const data = resourcesIn(json["data"]);
  for (const { id, attributes } of data) {
    const { create_date, modify_date } = attributes;
    memory.series.push({ id: id.toLowerCase(), create_date: textOf(create_date), modify_date: textOf(modify_date) });
  }
  const items = data.map(({ id }) => memory.number(id));
  for (const [at, { attributes, relationships }] of data.entries()) {
    const persons = ["investors", "signing_parties"].filter((name) => referencesIn(relationships[name]).length > 0);
    const group = `${stateWord(attributes["status"])} ${stateWord(attributes["step"])} ${persons.length}`;
    memory.groups.set(items[at] ?? 0, group);
  }
  const { form, size } = listForm(json);
  return {
    count: data.length,
    items,
    form,
    namedSize: size,
    orders: fittingOrders(memory.series),
    ordered: memory.series.length,
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

function investmentFacts(json: Members, memory: Memory): InvestmentFacts {
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

function eventFacts(json: Members, memory: Memory): EventFacts {
  const investment = memory.number(isMembers(json["data"]) ? json["data"]["id"] : "");
  const included: readonly unknown[] = Array.isArray(json["included"]) ? json["included"] : [];
  const events = included.filter(isMembers).slice(0, 1000);
  for (const { id, create_date } of events) {
    memory.events.set(memory.number(id), { investment, date: textOf(create_date) });
  }
  const dated = events.map(({ id, create_date }) => ({
    id: textOf(id).toLowerCase(),
    create_date: textOf(create_date),
    modify_date: "",
  }));
  return {
    count: events.length,
    orders: fittingOrders(dated),
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
