import { isMembers } from "../model/members.ts";
import type { JournalEntry } from "../options.ts";

type Members = Readonly<Record<string, unknown>>;

/** An investment as a body shows it; members that it does not show are undefined. */
export interface SeenInvestment {
  readonly id: string;
  readonly status: unknown;
  readonly step: unknown;
  readonly paid_amount: unknown;
}

/** The content of a body. */
export interface SeenBody {
  /** Behaviours that it shows. */
  readonly ids: readonly string[];
  readonly investments: readonly SeenInvestment[];
  /** The ids of its events; undefined in documents other than that of an investment's events. */
  readonly events: readonly string[] | undefined;
}

const nothing: SeenBody = { ids: [], investments: [], events: undefined };

/** The mark in place of personal data (section 2.3). */
const redacted = "[[redacted]]";

/** A field of each kind of personal data. */
const personal = { string: "tax_id", number: "annual_income", boolean: "accredited", date: "birthdate" } as const;

/** Reads the body of an answer to a key. */
export function readBody({ operation, key_type }: JournalEntry, text: string): SeenBody {
  const parsed = (() => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return undefined;
    }
  })();
  const resources = resourcesIn(parsed);
  const of = (type: string): Members[] => resources.filter((one) => one["type"] === type).map(attributesOf);
  if (operation === null || operation === "getOffering") return nothing;
  const isEvents = operation === "listInvestmentEvents";
  const investments = of("investments").filter((one) => "status" in one);
  const seen = investments.map(({ id, status, step, paid_amount }) => ({ id: String(id), status, step, paid_amount }));
  // The references in the relationships have the same ids.
  const events = of("events").filter((one) => "event" in one);
  const ids = [
    ...seen.flatMap(stateIds),
    ...investments.flatMap(paidIds),
    ...(isEvents ? eventIds(events) : []),
    ...(operation === "getInvestment"
      ? [...paymentIds(of("payments")), ...personIds(of("investors"), of("signing_parties"), key_type)]
      : []),
  ];
  return {
    ids: [...new Set(ids)],
    investments: seen,
    events: isEvents ? events.map(({ id }) => String(id)) : undefined,
  };
}

/** All resource objects in a document, wherever its assumptions put them; references are among them. */
function resourcesIn(value: unknown, found: Members[] = []): Members[] {
  if (typeof value !== "object" || value === null) return found;
  if (isMembers(value) && typeof value["type"] === "string" && "id" in value) found.push(value);
  for (const part of Object.values(value)) resourcesIn(part, found);
  return found;
}

/** The attributes with the id; events have no wrapper around theirs (section 4.2). */
function attributesOf(resource: Members): Members {
  const { attributes, id } = resource;
  return isMembers(attributes) ? { id, ...attributes } : resource;
}

function stateIds({ status, step }: SeenInvestment): string[] {
  return [
    ...(status === "PENDING" ? ["investments.pending"] : []),
    ...(status === "CLOSED" ? ["investments.closed"] : []),
    ...(step === null ? ["investments.step-null"] : []),
    ...(step === "SIGNERS" ? ["investments.step-signers"] : []),
  ];
}

function paidIds({ paid_amount: paid, amount }: Members): string[] {
  if (typeof paid !== "number" || typeof amount !== "number") return [];
  if (paid === 0) return ["investments.paid-nothing"];
  return [paid < amount ? "investments.paid-part" : "investments.paid-full"];
}

function paymentIds(payments: readonly Members[]): string[] {
  const held = payments.filter((one) => "amount" in one);
  if (held.length === 0) return ["investments.payments-none"];
  return held.length > 1 ? ["investments.payments-several"] : [];
}

function personIds(
  investors: readonly Members[],
  parties: readonly Members[],
  keyType: JournalEntry["key_type"],
): string[] {
  const people = investors.filter((one) => "email" in one);
  const signers = parties.filter((one) => "email" in one);
  const fields = Object.entries(personal);
  const nullable = Object.values(personal).filter((name) => name !== "birthdate");
  return [
    ...fields.flatMap(([kind, name]) =>
      people.some((one) => one[name] === redacted) ? [`persons.redacted-${kind}`] : [],
    ),
    ...(keyType === "partner" && people.some((one) => nullable.some((name) => one[name] === null))
      ? ["persons.null"]
      : []),
    ...(people.some((one) => (one["birthdate"] ?? null) === null) ? ["persons.birthdate-absent"] : []),
    ...(signers.some((one) => !("last_name" in one)) ? ["persons.name-absent"] : []),
    ...(signers.some((one) => "phone_number" in one) ? ["persons.phone-shown"] : []),
    ...(signers.some((one) => !("phone_number" in one)) ? ["persons.phone-omitted"] : []),
    ...(people.length > 1 ? ["persons.joint"] : []),
    ...(signers.some((one) => one["countersigner"] === true) ? ["persons.countersigner"] : []),
    ...(signers.some((one) => one["signed"] === false) ? ["persons.unsigned"] : []),
  ];
}

function eventIds(events: readonly Members[]): string[] {
  return events.flatMap(({ event, action, description }) => [
    `events.${String(event)}-${String(action)}`.toLowerCase(),
    ...(description === null ? ["events.description-null"] : []),
  ]);
}
