import type { KeyType } from "../../src/model/vocabulary.ts";

/*
 * The fixed parts of the specification, written only from its text: what is true under all assumptions. Parts that it
 * leaves open are not checked.
 */

type Members = Readonly<Record<string, unknown>>;
type Is = (value: unknown) => boolean;

interface Resource {
  readonly type: unknown;
  readonly id: unknown;
  readonly attributes: Members;
  readonly relationships: Members;
}

const isText: Is = (value) => typeof value === "string";
const isNumber: Is = (value) => typeof value === "number";
const isInteger: Is = (value) => Number.isInteger(value);
const isBoolean: Is = (value) => typeof value === "boolean";
const isUuid: Is = (value) => isText(value) && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(String(value));
const isTime: Is = (value) => isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value));
const isDay: Is = (value) => isText(value) && /^\d{4}-\d\d-\d\d$/.test(String(value));
const isRedacted: Is = (value) => value === "[[redacted]]";
const isAbsent: Is = (value) => value === undefined;
const orNull =
  (is: Is): Is =>
  (value) =>
    value === null || is(value);
const orAbsent =
  (is: Is): Is =>
  (value) =>
    value === undefined || is(value);

/** The fields of each resource with attributes, from sections 2.1 to 2.5, for a key. */
const attributesOf: Readonly<Record<string, (key: KeyType) => Readonly<Record<string, Is>>>> = {
  investments: () => ({
    id: isUuid,
    amount: isNumber,
    price: isNumber,
    quantity: isNumber,
    paid_amount: isNumber,
    investment_number: isInteger,
    expedited: isBoolean,
    step: orNull(isText),
    status: isText,
    create_date: isTime,
    modify_date: isTime,
  }),
  signing_parties: (key) => ({
    first_name: orAbsent(isText),
    middle_name: orAbsent(isText),
    last_name: orAbsent(isText),
    email: isText,
    phone_number: key === "marketing" ? isText : isAbsent,
    status: isText,
    signed: isBoolean,
    countersigner: isBoolean,
  }),
  investors(key) {
    const hidden = (is: Is): Is => (key === "marketing" ? isRedacted : orNull(is));
    return {
      first_name: isText,
      middle_name: isText,
      last_name: isText,
      email: isText,
      company: orNull(isText),
      is_primary: isBoolean,
      is_kyc: isBoolean,
      is_signer: isBoolean,
      tax_id: hidden(isText),
      ein: hidden(isText),
      address_street_1: hidden(isText),
      address_street_2: hidden(isText),
      address_city: hidden(isText),
      address_state: hidden(isText),
      address_postal_code: hidden(isText),
      address_country_code: hidden(isText),
      accredited: hidden(isBoolean),
      annual_income: hidden(isNumber),
      birthdate: orAbsent(hidden(isDay)),
      citizenship: orNull(isText),
      ta_account_type: hidden(isText),
      ta_sub_type: hidden(isText),
    };
  },
  offerings: () => ({ name: isText, status: isText, create_date: isTime, modify_date: isTime }),
  payments: () => ({ amount: isNumber, status: isText, category: isText, create_date: isTime, modify_date: isTime }),
};

const event = { id: isUuid, event: isText, action: isText, description: orNull(isText), create_date: isTime };

/** Yields where the resources in a body, at any depth, and the relationships of its investments violate section 2. */
export function* errorsIn(body: unknown, key: KeyType): Generator<string> {
  if (Array.isArray(body)) for (const element of body) yield* errorsIn(element, key);
  if (!isObject(body)) return;
  for (const [name, value] of Object.entries(body)) {
    if (name.endsWith("_date") && !isTime(value)) yield `${name} is ${JSON.stringify(value)}`;
    yield* errorsIn(value, key);
  }
  const { type, id, attributes } = body;
  if (!isText(type) || id === undefined) return;
  if (!isUuid(id)) yield `id is ${JSON.stringify(id)}`;
  const fields = attributesOf[String(type)]?.(key);
  if (type === "events" && "event" in body) yield* wrong(body, event, "event");
  // The status and the events of an investment have some of its attributes, and no relationships of 2.1.
  if (fields && isObject(attributes) && (type !== "investments" || "amount" in attributes))
    yield* wrong(attributes, fields, String(type));
}

/** Yields where an investment document violates section 4.1. */
export function* errorsInInvestment({ data, included }: Members): Generator<string> {
  const { type, id, attributes, relationships } = data as Resource;
  if (type !== "investments" || attributes["id"] !== id) yield "data is not an investment, or has another id";
  const references: string[] = [];
  for (const name of ["signing_parties", "investors", "offering", "payments"]) {
    const { data: found } = relationships[name] as { data: unknown };
    const all = name === "offering" ? [found] : found;
    if (!Array.isArray(all)) yield `${name} is not a list`;
    for (const resource of all as Members[]) {
      references.push(`${String(resource["type"])} ${String(resource["id"])}`);
      if (resource["type"] !== (name === "offering" ? "offerings" : name))
        yield `${name} has ${String(resource["type"])}`;
    }
  }
  if (!isObject(relationships["broker"])) yield "broker is missing";
  yield* unlike(references, included as Members[]);
}

/** Yields where an events document violates section 4.2. */
export function* errorsInEvents({ data, included }: Members, investment: string): Generator<string> {
  const { type, id, attributes, relationships } = data as Resource;
  if (type !== "investments" || id !== investment) yield "data is another investment";
  yield* wrong(attributes, { step: orNull(isText), status: isText, create_date: isTime }, "data");
  const references = (relationships["events"] as { data: Members[] }).data;
  yield* unlike(
    references.map((reference) => `${String(reference["type"])} ${String(reference["id"])}`),
    included as Members[],
  );
  for (const resource of included as Members[]) if ("attributes" in resource) yield "an event has attributes";
}

/** Yields references without a resource, resources without a reference, and repeated ones. */
function* unlike(references: readonly string[], included: readonly Members[]): Generator<string> {
  const there = included.map((resource) => `${String(resource["type"])} ${String(resource["id"])}`).toSorted();
  if (there.join() !== references.toSorted().join()) yield `included has ${there.join()}, not ${references.join()}`;
}

function* wrong(members: Members, fields: Readonly<Record<string, Is>>, where: string): Generator<string> {
  for (const [name, is] of Object.entries(fields))
    if (!is(members[name])) yield `${where}: ${name} is ${JSON.stringify(members[name])}`;
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
