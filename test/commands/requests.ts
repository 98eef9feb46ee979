import { expect } from "vitest";
import { compareText } from "../../src/model/order.ts";
import { known } from "../support/sandbox.ts";
import {
  currentFaults,
  type Environment,
  type Environments,
  investmentOf,
  isActive,
  isRevoked,
  stateAt,
  type Thing,
} from "./model.ts";
import { countRead } from "./runs.ts";

/** Paths of the service's requests, by the id of an offering or an investment. */
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

export interface Request {
  readonly secret: string;
  readonly name: PathName;
  readonly id: string;
}

/** The model's prediction of a response. */
interface Prediction {
  /** 0 if the connection ends without a response. */
  readonly status: number;
  readonly byFault?: true;
  /** The environment of the response, and its state before this request. */
  readonly environment: Environment;
  readonly state: ReturnType<typeof stateAt>;
  readonly key: Thing;
}

export function isOfOffering(name: PathName): boolean {
  return name === "offering" || name === "list" || name === "page";
}

/** Predicts a response, and applies the request to the model: journal, limit, uses of a fault, waiting steps. */
export function predict(environments: Environments, owner: string | undefined, request: Request): Prediction {
  const { secret, name, id } = request;
  const fallback = environments.get("default") as Environment;
  const issuer = environments.get(owner ?? "") ?? fallback;
  const state = stateAt(issuer);
  const key = Object.values(state.keys).find((candidate) => candidate.key === secret);
  const environment = key ? issuer : fallback;
  const { content, opening, limits } = environment;
  const response = { environment, state, key };
  environment.journal += 1;
  if (!key || isRevoked(key, content.now)) return { ...response, status: 401 };
  const fault = currentFaults(environment).find(
    (currentFault) => isActive(currentFault, environment) && matches(currentFault.rule.match, request),
  );
  if (fault) {
    content.uses[fault.id] = (content.uses[fault.id] ?? 0) + 1;
    const { respond, connection } = fault.rule;
    if (respond || connection) return { ...response, status: respond?.status ?? 0, byFault: true };
  }
  if (opening.rate_limit > 0) {
    const window = (limits[key.id] ??= { used: 0, remaining: null });
    window.remaining ??= 60_000;
    if (++window.used > opening.rate_limit) return { ...response, status: 429 };
  }
  if (name === "nowhere") return { ...response, status: 404 };
  if (isOfOffering(name)) return { ...response, status: id === key.offering_id ? 200 : 403 };
  if (state.investments[id]?.offering_id !== key.offering_id) return { ...response, status: 404 };
  countRead(environment, id);
  return { ...response, status: 200 };
}

function matches({ path = "/**" }: { readonly path?: string } = {}, { name, id }: Request): boolean {
  const pattern = path.replace("/**", "/.*").replace("/:id", "/[^/]+");
  return new RegExp(`^${pattern}$`).test(paths[name](id).replace(/\?.*/, ""));
}

/** Compares a document with the model's state. */
export function expectDocument(prediction: Prediction, { name, id }: Request, { data, included, meta }: Thing): void {
  const { key, state, environment } = prediction;
  const { assumptions } = environment.content;
  const investment = state.investments[id] ?? investmentOf("", "");
  const { status, step, create_date, investors, signing_parties, payments, events } = investment;
  const attributesOf = (thing: Thing): Thing => thing.attributes;
  if (name === "offering") expect(data.attributes).toMatchObject(state.offerings[id]);
  else if (name === "status") expect(data.attributes).toEqual({ status, step, create_date });
  else if (name === "events") expect(included).toHaveLength(events);
  else if (isOfOffering(name)) {
    const investmentsOfOffering = Object.values(state.investments).filter(({ offering_id }) => offering_id === id);
    const size = name === "list" ? 100 : Number(assumptions["list.default_size"]);
    expect(meta).toMatchObject({ total: investmentsOfOffering.length, size });
    const rows = data.map(attributesOf);
    const dates: string[] = investmentsOfOffering.map((item) => item.create_date).toSorted(compareText);
    expect(rows.map((thing: Thing) => thing.create_date)).toEqual(dates.slice(0, size));
    expect(rows).toMatchObject(rows.map((thing: Thing) => expectedAttributes(state.investments[thing.id])));
    expect(new Set(rows.map((thing: Thing) => thing.investment_number)).size).toBe(rows.length);
  } else {
    const isGranted = key?.key !== known.keys.ungranted || assumptions["auth.partner_data"] !== "on-request";
    const seesPersonalData = key?.type === "partner" && isGranted;
    const resourcesOf = (type: string): Thing[] =>
      included.filter((thing: Thing) => thing.type === type).map(attributesOf);
    expect(data.attributes).toMatchObject(expectedAttributes(investment));
    expect(resourcesOf("investors")).toMatchObject(
      investors.map(({ tax_id }: Thing) => ({ tax_id: seesPersonalData ? tax_id : "[[redacted]]" })),
    );
    expect(resourcesOf("signing_parties")).toMatchObject(
      Object.values(signing_parties).map(({ email, signed }: Thing) => ({ email, signed })),
    );
    for (const party of resourcesOf("signing_parties")) expect("phone_number" in party).toBe(key?.type === "marketing");
    expect(resourcesOf("payments")).toMatchObject(
      Object.values(payments).map(({ amount, status: paid }: Thing) => ({ amount, status: paid })),
    );
  }
}

function expectedAttributes(investment: Thing): object {
  if (!investment) return { id: "an id that the model knows" };
  const { status, step, create_date, modify_date, payments, investment_number } = investment;
  const cents = Object.values(payments).map(({ amount, status: paid }: Thing) =>
    paid === "succeeded" ? amount * 100 : 0,
  );
  const paid_amount = Math.round(cents.reduce((sum, cent) => sum + cent, 0)) / 100;
  const number = investment_number === null ? {} : { investment_number };
  return { status, step, create_date, modify_date, paid_amount, ...number };
}
