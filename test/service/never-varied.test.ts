import { expect, test } from "vitest";
import type { Environment } from "../../src/index.ts";
import { type KeyType, keyTypes } from "../../src/model/vocabulary.ts";
import { type TestResponse, known, knownFixture, send, startForTest } from "../support/sandbox.ts";
import { sampleAlternatives } from "../support/alternatives.ts";
import { errorsIn, errorsInEvents, errorsInInvestment } from "../support/specification.ts";

/** Personal data of the known fixture, which a Marketing key must not read. */
const personalData = ["666-12-3456", "00-1234567", "12 Analytical Way", "1985-12-10", "JT TEN WROS", "250000"];

/** Possible statuses after the last page: the specification leaves open which one, and whether the page is refused. */
const refusalStatuses = [400, 404, 422];

interface Item {
  readonly id: string;
  readonly create_date: string;
  readonly modify_date: string;
}

/** Sends requests with a key, and finds what the specification forbids in each response. */
class Client {
  readonly errors: string[] = [];
  readonly #environment: Environment;
  readonly #type: KeyType;
  readonly #key: string;

  constructor(environment: Environment, type: KeyType, key: string) {
    this.#environment = environment;
    this.#type = type;
    this.#key = key;
  }

  async get(path: string, status = [200], authorization = `Bearer ${this.#key}`): Promise<TestResponse> {
    const { baseUrl } = this.#environment;
    const { origin, pathname } = new URL(baseUrl);
    const response = await send(origin, `${pathname}${path}`, {
      key: null,
      headers: authorization === "" ? {} : { authorization },
    });
    const note = (error: string): void => void this.errors.push(`${path}: ${error}`);
    if (!status.includes(response.status)) note(`${response.status}, not ${status.join(" or ")}`);
    if (response.text !== "" && response.json === undefined) note("no JSON");
    for (const error of errorsIn(response.json, this.#type)) note(error);
    if (this.#type === "marketing")
      for (const text of personalData) if (response.text.includes(text)) note(`contains ${text}`);
    return response;
  }

  note(path: string, errors: Iterable<string>): void {
    for (const error of errors) this.errors.push(`${path}: ${error}`);
  }

  async list(query: string): Promise<Item[] | undefined> {
    const response = await this.get(`/offerings/${known.aurora}/investments?${query}`, [200, ...refusalStatuses]);
    if (response.status !== 200) return undefined;
    return (response.json.data as { id: string; attributes: Item }[]).map(({ attributes }) => attributes);
  }
}

/** Checks that every investment is on one page, and that a bound includes the investment on it. */
async function checkList(client: Client): Promise<readonly Item[]> {
  const firstPage = (await client.list("size=7")) ?? [];
  const pages = [firstPage];
  const secondPage = (await client.list("size=7&page=1")) ?? [];
  // The specification leaves open where pages begin: page=1 is the first page, or the one after it.
  if (secondPage[0]?.id !== firstPage[0]?.id) pages.push(secondPage);
  for (let page = 2; page < 20; page++) {
    const items = (await client.list(`size=7&page=${page}`)) ?? [];
    if (items.length === 0) break;
    pages.push(items);
  }
  const items = pages.flat();
  const ids = items.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) client.note("list", ["an investment is on two pages"]);
  if (pages.some(({ length }) => length > 7)) client.note("list", ["a page is larger than its size"]);
  for (const { id, ...dates } of items.slice(0, 1)) {
    for (const [name, date] of [
      ["create_date", dates.create_date],
      ["modify_date", dates.modify_date],
    ]) {
      const expectedIds = items.filter((item) => item[name as "create_date"] === date).map((item) => item.id);
      const itemsAtDate = await client.list(`${name}[gte]=${date}&${name}[lte]=${date}`);
      const foundIds = (itemsAtDate ?? []).map((item) => item.id);
      if (foundIds.toSorted().join() !== expectedIds.toSorted().join())
        client.note(`${name} of ${id}`, ["is not a bound"]);
    }
  }
  return items;
}

async function checkInvestment(client: Client, id: string): Promise<void> {
  client.note(id, errorsInInvestment((await client.get(`/investments/${id}`)).json));
  await client.get(`/investments/${id}/status`);
  const allEvents = (await client.get(`/investments/${id}/events`)).json;
  client.note(`events of ${id}`, errorsInEvents(allEvents, id));
  const date = (allEvents.included as Item[])[0]?.create_date;
  if (date === undefined) return;
  const eventsAtDate = (await client.get(`/investments/${id}/events?create_date[gte]=${date}&create_date[lte]=${date}`))
    .json;
  client.note(`events at ${date}`, errorsInEvents(eventsAtDate, id));
  const expectedEvents = (allEvents.included as Item[]).filter((event) => event.create_date === date);
  if (eventsAtDate.included.length !== expectedEvents.length)
    client.note(`events at ${date}`, ["a bound is not inclusive"]);
}

async function checkErrors(client: Client): Promise<void> {
  const offeringPath = `/offerings/${known.aurora}`;
  for (const authorization of ["", "Bearer", "Bearer never-issued-key", "Basic YTpi"])
    await client.get(offeringPath, [401], authorization);
  for (const path of [`/offerings/${known.borealis}`, `/offerings/${known.borealis}/investments`])
    await client.get(path, [403]);
  for (const id of [known.unknown, known.elsewhere])
    for (const path of [`/investments/${id}`, `/investments/${id}/status`, `/investments/${id}/events`])
      await client.get(path, [404]);
}

/** Checks the Retry-After of a 429: after that time, the same request succeeds. Then revokes the key. */
async function checkLimit(client: Client, environment: Environment, keyId: string): Promise<void> {
  const path = `/offerings/${known.aurora}`;
  await environment.limits.set(keyId, 120);
  const { headers } = await client.get(path, [429]);
  const retryAfter = headers["retry-after"] ?? "";
  const milliseconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - Date.parse(headers["date"] ?? "");
  if (!(milliseconds > 0 && milliseconds <= 61_000)) client.note(path, [`Retry-After is ${retryAfter}`]);
  await environment.clock.advance(milliseconds);
  await client.get(path);
  await environment.keys.revoke(keyId);
  await client.get(path, [401]);
}

test("no alternative value changes what the specification says", async () => {
  const sandbox = await startForTest({ config: false, fixture: knownFixture, scenarios: [] });
  let expectedIds: string | undefined;
  for (let seed = 0; seed < 300; seed++) {
    const environment = await sandbox.openEnvironment({ assumptions: sampleAlternatives(seed) });
    const keys = (await environment.keys.list()).filter(({ offering_id }) => offering_id === known.aurora);
    for (const type of keyTypes) {
      const key = keys.find((candidate) => candidate.type === type);
      const client = new Client(environment, type, key?.key ?? "");
      await client.get(`/offerings/${known.aurora}`);
      const ids = (await checkList(client)).map(({ id }) => id).toSorted();
      expectedIds ??= ids.join();
      if (ids.join() !== expectedIds) client.note("list", [`has ${ids.length} investments`]);
      for (const id of [known.whole, known.closed]) await checkInvestment(client, id);
      await checkErrors(client);
      await checkLimit(client, environment, key?.id ?? "");
      expect({ seed, type, errors: client.errors }).toEqual({ seed, type, errors: [] });
    }
    await environment.close();
  }
});
