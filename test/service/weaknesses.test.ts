import { readFileSync } from "node:fs";
import { beforeAll, afterAll, expect, test } from "vitest";
import type { AssumptionId } from "../../src/assumptions/catalogue.ts";
import { variedRows } from "../../src/assumptions/vary.ts";
import { Search } from "../../src/cli/exec/smallest.ts";
import { type Environment, type LocalSandbox, startSandbox } from "../../src/index.ts";
import type { KeyType } from "../../src/model/vocabulary.ts";
import { type Answer, type Ask, known, send } from "../support/sandbox.ts";

/** Asks an environment with its key of a type. */
type Get = (path: string, ask?: Ask & { readonly type?: KeyType }) => Promise<Answer>;
type Client = (get: Get, environment: Environment) => Promise<boolean>;

const list = `/offerings/${known.aurora}/investments`;
const whole = `/investments/${known.whole}`;

interface Item {
  readonly type: string;
  readonly id: string;
  readonly event: string;
  readonly create_date: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

async function items(get: Get, query = "size=50"): Promise<Item[]> {
  return ((await get(`${list}?${query}`)).json?.data ?? []) as Item[];
}

async function included(get: Get, path: string, type: string, ask: { type?: KeyType } = {}): Promise<Item[]> {
  return ((await get(path, ask)).json.included as Item[]).filter((one) => one.type === type);
}

function ascends(texts: readonly string[]): boolean {
  return texts.join() === texts.toSorted().join();
}

/** For each row a client that works as long as the row has its conventional value. */
const clients: Readonly<Partial<Record<AssumptionId, Client>>> = {
  "errors.body": async (get) => (await get(`/investments/${known.unknown}`)).json?.errors?.[0]?.status === "404",
  "errors.invalid_parameter": async (get) => (await get(`${list}?size=x`)).status === 400,
  "errors.method": async (get) => (await get(list, { method: "POST" })).status === 405,
  "errors.www_authenticate": async (get) => "www-authenticate" in (await get(list, { key: null })).headers,
  "auth.scheme": async (get, { keys }) => {
    const [key] = await keys.list();
    return (await get(list, { key: null, headers: { authorization: `bearer ${key?.key}` } })).status === 200;
  },
  "ids.case": async (get, { investments }) => {
    const { id } = await investments.create({});
    return (await get(`/investments/${id.toUpperCase()}`)).status === 200;
  },
  "offering.document": async (get) => Object.keys((await get(`/offerings/${known.aurora}`)).json).join() === "data",
  "offering.members": async (get) =>
    Object.keys((await get(`/offerings/${known.aurora}`)).json.data.attributes).length === 4,
  "documents.order": async (get) => (await get(whole)).text.startsWith('{"data":{"type"'),
  "status.document": async (get) => "create_date" in ((await get(`${whole}/status`)).json.data?.attributes ?? {}),
  "list.document": async (get) => "links" in (await get(list)).json,
  "list.included": async (get) => !("included" in (await get(list)).json),
  "list.first_page": async (get) => (await items(get, "size=5"))[0]?.id === (await items(get, "size=5&page=1"))[0]?.id,
  "list.default_size": async (get) => (await items(get, "")).length === 20,
  "list.max_size": async (get) => (await items(get, "size=100")).length === 100,
  "list.over_max": async (get) => (await get(`${list}?size=1000`)).status >= 400,
  "list.past_end": async (get) => (await get(`${list}?page=999`)).status === 200,
  "list.order": async (get) => ascends((await items(get)).map(({ attributes }) => String(attributes["create_date"]))),
  "events.order": async (get) =>
    ascends((await included(get, `${whole}/events`, "events")).map((one) => one.create_date)),
  "dates.date_only": async (get) =>
    (await items(get, "create_date[gte]=2026-01-02&create_date[lte]=2026-01-02")).length > 0,
  "dates.repeated": async (get) =>
    (await get(`${list}?create_date[gte]=2026-01-01&create_date[gte]=2026-01-02`)).status >= 400,
  "investor.birthdate": async (get) =>
    (await included(get, whole, "investors")).every(({ attributes }) => attributes["birthdate"] !== null),
  "investor.redact_absent": async (get) =>
    (await included(get, whole, "investors", { type: "marketing" })).every((one) => "birthdate" in one.attributes),
  "signing_party.status": async (get) =>
    (await included(get, whole, "signing_parties")).every(({ attributes }) =>
      ["pending", "signed"].includes(String(attributes["status"])),
    ),
  "investment.statuses": async (get) =>
    (await items(get)).every(({ attributes }) => ["PENDING", "CLOSED"].includes(String(attributes["status"]))),
  "events.kinds": async (get) => {
    for (const { id } of await items(get))
      for (const { event } of await included(get, `/investments/${id}/events`, "events"))
        if (event === "DOCUMENT") return false;
    return true;
  },
  "investment.broker": async (get) => (await get(whole)).json.data.relationships.broker.data === null,
  "limit.window": async (get, { clock }) => {
    await get(list);
    await clock.advance("50s");
    for (let at = 0; at < 119; at++) await get("/");
    await clock.advance("15s");
    return (await get("/")).status !== 429 && (await get("/")).status !== 429;
  },
  "limit.retry_after": async (get, { limits, keys }) => {
    for (const { id } of await keys.list()) await limits.set(id, 120);
    return Number((await get(list)).headers["retry-after"]) > 0;
  },
  "limit.headers": async (get) => !Object.keys((await get(list)).headers).some((name) => name.includes("ratelimit")),
  content_type: async (get) => (await get(list)).headers["content-type"] === "application/json; charset=utf-8",
  "transport.form": async (get) => "content-length" in (await get(list)).headers,
  precedence: async (get) => (await get("/nowhere", { key: null })).status === 401,
};

let sandbox: LocalSandbox;
beforeAll(async () => {
  const large = JSON.parse(readFileSync(new URL("../support/known.json", import.meta.url), "utf8")) as {
    offerings: { generate?: object }[];
  };
  const [aurora] = large.offerings;
  if (aurora) aurora.generate = { investments: 120 };
  sandbox = await startSandbox({ config: false, fixture: large, scenarios: [] });
});
afterAll(() => sandbox?.close());

/** Rows about requests without a key that anybody knows: the server's own environment answers these. */
const ofServer = { "auth.scheme": "any-case", "errors.www_authenticate": "yes", precedence: "conventional" } as const;

/** Acts in an environment with assumptions; the client's answer. */
async function works(client: Client, assumptions: Readonly<Record<string, unknown>>): Promise<boolean> {
  const environment = await sandbox.openEnvironment({ assumptions });
  const set = Object.entries(ofServer).map(([id, value]) => [id, assumptions[id] ?? value]);
  await sandbox.assumptions.set(Object.fromEntries(set));
  const keys = (await environment.keys.list()).filter((key) => key.offering_id === known.aurora);
  const { origin, pathname } = new URL(environment.baseUrl);
  const get: Get = (path, { type = "partner", ...ask } = {}) =>
    send(origin, pathname + path, { key: keys.find((one) => one.type === type)?.key ?? "", ...ask });
  const result = await client(get, environment);
  await environment.close();
  return result;
}

/** The rows that a seed draws. */
async function drawnBy(varySeed: string): Promise<Readonly<Record<string, string | number>>> {
  const environment = await sandbox.openEnvironment({ varySeed });
  const rows = await environment.assumptions.list();
  await environment.close();
  return Object.fromEntries(rows.flatMap(({ id, source, value }) => (source === "varied" ? [[id, value]] : [])));
}

/** The rows that a bisection names with the first seed under which the client fails; none if it never does. */
async function named(client: Client, rows: readonly AssumptionId[]): Promise<readonly string[]> {
  for (let at = 0; at < 40; at++) {
    const values = await drawnBy(at.toString(16).padStart(8, "0"));
    if (!rows.every((id) => id in values) || (await works(client, values))) continue;
    const fails = async (some: readonly string[]): Promise<boolean> => {
      const assumptions = Object.fromEntries(some.map((id) => [id, values[id]]));
      return !(await works(client, assumptions));
    };
    for await (const culprits of new Search<string>().within(Object.keys(values), fails)) return culprits;
  }
  return [];
}

test.each(variedRows.filter(({ byName }) => !byName).map(({ id }) => id))(
  "a client that leans on %s alone is told so",
  async (id) => {
    const client = clients[id];
    if (!client) throw new Error(`There is no client for ${id}.`);
    expect(await works(client, {})).toBe(true);
    expect(await named(client, [id])).toEqual([id]);
  },
);

test("two rows that fail only together are both named", async () => {
  const ids = ["list.first_page", "errors.body"] as const;
  const both: Client = async (...of) => {
    for (const id of ids) if (await clients[id]?.(...of)) return true;
    return false;
  };
  expect((await named(both, ids)).toSorted()).toEqual(ids.toSorted());
});
