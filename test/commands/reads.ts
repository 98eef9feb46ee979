import { expect } from "vitest";
import type { FaultRule } from "../../src/control.ts";
import {
  type Environment,
  type Investment,
  isRevoked,
  type Key,
  limitTime,
  paid,
  type State,
  stateAt,
} from "./model.ts";
import { wasRead } from "./runs.ts";

/** What a client may ask for; `id` is that of an offering or an investment. */
export const paths = {
  offering: (id: string) => `/offerings/${id}`,
  list: (id: string) => `/offerings/${id}/investments?size=100`,
  page: (id: string) => `/offerings/${id}/investments`,
  investment: (id: string) => `/investments/${id}`,
  status: (id: string) => `/investments/${id}/status`,
  events: (id: string) => `/investments/${id}/events`,
  nowhere: () => "/investments",
};

export type PathName = keyof typeof paths;

/** An answer as the model foresees it. */
export interface Foreseen {
  /** 0 if the connection ends without an answer. */
  readonly status: number;
  readonly byFault: boolean;
  readonly environment: Environment;
  /** What a 200 is made of. */
  readonly key?: Key;
  readonly state?: State;
}

/** Asks the model; this changes what a request changes: journal, limit, the uses of a fault, steps that wait for reads. */
export function foresee(
  environments: ReadonlyMap<string, Environment>,
  owner: string | undefined,
  { secret, name, id }: { readonly secret: string; readonly name: PathName; readonly id: string },
): Foreseen {
  const fallback = environments.get("default") as Environment;
  const issuer = environments.get(owner ?? "");
  const state = stateAt(issuer ?? fallback);
  const key = issuer && state.keys.find((one) => one.secret === secret);
  const environment = key ? issuer : fallback;
  environment.journal += 1;
  const { content, opening } = environment;
  const answer = (status: number, byFault = false): Foreseen => ({ status, byFault, environment });
  if (!key || isRevoked(key, content.now)) return answer(401);
  const path = paths[name](id).replace(/\?.*/, "");
  const fault = state.faults.find(
    (one) => isActive(one.id, one.rule, one.until, environment) && meets(one.rule, path, key.id),
  );
  if (fault) {
    content.uses[fault.id] = (content.uses[fault.id] ?? 0) + 1;
    const { respond, connection } = fault.rule;
    if (respond || connection) return answer(respond?.status ?? 0, true);
  }
  if (opening.rate_limit > 0 && hit(environment, key.id) > opening.rate_limit) return answer(429);
  if (name === "nowhere") return answer(404);
  const ofOffering = name === "offering" || name === "list" || name === "page";
  if (ofOffering && id !== key.offering_id) return answer(403);
  if (!ofOffering && state.investments[id]?.offering_id !== key.offering_id) return answer(404);
  if (!ofOffering) wasRead(environment, id);
  return { ...answer(200), key, state };
}

export function isActive(id: string, { times }: FaultRule, until: string | null, { content }: Environment): boolean {
  return (until === null || until > content.now) && (times === undefined || (content.uses[id] ?? 0) < times);
}

function meets({ match = {} }: FaultRule, path: string, keyId: string): boolean {
  const pattern = (match.path ?? "/**").replace("/**", "/.*").replace("/:id", "/[^/]+");
  return new RegExp(`^${pattern}$`).test(path) && (match.key_id ?? keyId) === keyId;
}

/** Counts a request. A window lasts a minute of real time, or of advancing. */
function hit(environment: Environment, keyId: string): number {
  const time = limitTime(environment);
  const window = (environment.limits[keyId] ??= { used: 0 });
  if (window.end !== undefined && window.end <= time) Object.assign(window, { used: 0, end: undefined });
  window.end ??= time + 60_000;
  return ++window.used;
}

/** Holds a document against the state of the model. */
export function expectDocument(
  { key, state, environment }: Foreseen,
  name: PathName,
  id: string,
  json: Document,
): void {
  if (!key || !state) return;
  const investment = state.investments[id];
  if (name === "offering") expect(json.data.attributes).toMatchObject({ name: state.offerings[id] });
  else if (name === "list" || name === "page") expectList(json, state, key, environment, name, id);
  else if (!investment) throw new Error("The model foresees an investment that it does not have.");
  else if (name === "status") {
    const { status, step, create_date } = investment;
    expect(json.data.attributes).toEqual({ status, step, create_date });
  } else if (name === "events") {
    expect(json.included).toHaveLength(investment.events);
  } else {
    expectInvestment(json, investment, key, environment);
  }
}

/** As much of a document as matters here. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Document = any;

function expectList(
  json: Document,
  state: State,
  key: Key,
  { content }: Environment,
  name: PathName,
  id: string,
): void {
  const all = Object.entries(state.investments).filter(([, { offering_id }]) => offering_id === id);
  const size = name === "list" ? 100 : Number(content.assumptions["list.default_size"]);
  expect(json.meta).toMatchObject({ total: all.length, size });
  expect(json.data).toHaveLength(Math.min(size, all.length));
  const shown = json.data.map(({ attributes }: Document) => attributes);
  const sorted = shown.toSorted(
    (one: Document, other: Document) => Date.parse(one.create_date) - Date.parse(other.create_date),
  );
  expect(shown).toEqual(sorted);
  for (const { type, attributes } of json.included ?? [])
    if (type === "investors" && !seesPersons(key, content)) expect(attributes.tax_id).toBe("[[redacted]]");
  for (const attributes of shown) expectAttributes(attributes, state.investments[attributes.id]);
  if (name === "list") {
    const numbers = new Set(shown.map(({ investment_number }: Document) => investment_number));
    expect(numbers.size).toBe(all.length);
  }
}

function expectAttributes(attributes: Document, investment: Investment | undefined): void {
  if (!investment) throw new Error(`The investment ${attributes.id} is not there.`);
  const { status, step, create_date, modify_date, number } = investment;
  const { investment_number } = attributes;
  expect(attributes).toMatchObject({ status, step, create_date, modify_date, paid_amount: paid(investment) });
  expect(investment_number).toBe(number ?? investment_number);
}

/** Whether a key reads personal data. */
function seesPersons({ type, granted }: Key, { assumptions }: Environment["content"]): boolean {
  return type === "partner" && (granted || assumptions["auth.partner_data"] !== "on-request");
}

function expectInvestment(json: Document, investment: Investment, key: Key, { content }: Environment): void {
  const { data, included } = json;
  expectAttributes(data.attributes, investment);
  const of = (kind: string): Document[] =>
    included.filter((one: Document) => one.type === kind).map(({ attributes }: Document) => attributes);
  const taxIds = seesPersons(key, content) ? investment.tax_ids : investment.tax_ids.map(() => "[[redacted]]");
  expect(of("investors").map(({ tax_id }) => tax_id)).toEqual(taxIds);
  const parties = of("signing_parties");
  expect(Object.fromEntries(parties.map(({ email, signed }) => [email, signed]))).toEqual(investment.signed);
  for (const party of parties) expect("phone_number" in party).toBe(key.type === "marketing");
  const payments = of("payments").map(({ amount, status }) => `${amount} ${status}`);
  expect(payments.toSorted()).toEqual(
    Object.values(investment.payments)
      .map(({ amount, status }) => `${amount} ${status}`)
      .toSorted(),
  );
}
