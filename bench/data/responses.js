// The product's responses, which the peers serve, and with which measured responses are compared.
import { Agent } from "node:http";
import { sendRequest } from "../measure/ask.js";
import { get, listPath, serviceRequests } from "../servers/service-requests.js";

const agent = new Agent({ keepAlive: true, maxSockets: 20 });
const pageSize = 20;
const maxOnes = 100;
const maxOthers = 20_000;

/**
 * Reads the data of a sandbox: `entries` has each investment as a Partner key reads it, and as its row in the list,
 * both as JSON; `samples` has the measured investments and pages of the first offering, with their responses.
 */
export async function readResponses(sandbox) {
  const offerings = await Promise.all(sandbox.offerings.map(({ id }) => readOffering(sandbox, id)));
  const entries = offerings.flat();
  return { entries, samples: await readSamples(sandbox, offerings[0], entries.length) };
}

async function readOffering(sandbox, offeringId) {
  const { key } = await sandbox.keys.issue({ type: "partner", offering_id: offeringId });
  const rows = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const list = await readJson(sandbox, get(listPath(offeringId, { page, size: 100 }), key));
    rows.push(...list.data);
    ({ pages } = list.meta);
  }
  const entry = async (row) => {
    const { text } = await sendRequest(sandbox.url, get(`/investments/${row.id}`, key), agent);
    return { id: row.id, created: row.attributes.create_date, document: text, row: JSON.stringify(row) };
  };
  const entries = [];
  // Requests waiting for a connection take memory, so a thousand are made at a time.
  for (let start = 0; start < rows.length; start += 1000) {
    entries.push(...(await Promise.all(rows.slice(start, start + 1000).map(entry))));
  }
  return entries;
}

async function readSamples(sandbox, investments, total) {
  const [offering] = sandbox.offerings;
  const { partner, marketing } = sandbox.keys;
  const repeatedIds = spread(investments, maxOnes).map(({ id }) => id);
  const samples = {
    investments: total,
    offering: offering.id,
    keys: { partner, marketing },
    repeatedIds,
    freshIds: investments
      .map(({ id }) => id)
      .filter((id) => !repeatedIds.includes(id))
      .slice(0, maxOthers),
    pages: pagesOf(investments),
    bodies: {},
  };
  for (const work of ["one", "one-marketing", "status", "events", ...Object.keys(samples.pages)]) {
    const requests = serviceRequests(work, samples);
    samples.bodies[work] = await Promise.all(requests.map((request) => readJson(sandbox, request)));
  }
  return samples;
}

/** The pages of each list work; the filter selects the middle fifth by date. */
function pagesOf(investments) {
  const last = Math.ceil(investments.length / pageSize);
  const numbers = Array.from({ length: last }, (_, index) => index + 1);
  const createDateAt = (share) => investments[Math.floor(investments.length * share)].created;
  const filter = { "create_date[gte]": createDateAt(0.4), "create_date[lte]": createDateAt(0.6) };
  return {
    "list-middle": [{ page: Math.ceil(last / 2), size: pageSize }],
    "list-turns": spread(numbers, 50).map((page) => ({ page, size: pageSize })),
    "list-filtered": [{ page: 1, size: pageSize, filter }],
  };
}

/** Picks at most `max` items, evenly spread. */
function spread(items, max) {
  const count = Math.min(max, items.length);
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)]);
}

async function readJson(sandbox, request) {
  const { status, text } = await sendRequest(sandbox.url, request, agent);
  if (status !== 200) throw new Error(`${request.path}: ${status}`);
  return JSON.parse(text);
}
