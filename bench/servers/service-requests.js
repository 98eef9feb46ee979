import { listOf } from "../data/work.js";
import { asking } from "./asking.js";

/** The requests of a work, as the service itself is asked. */
export function serviceRequests(work, samples) {
  const { offering, ones, missing } = samples;
  const { partner, marketing } = samples.keys;
  switch (work) {
    case "one":
      return ones.map((one) => get(`/investments/${one.id}`, partner, { body: one.partner }));
    case "one-marketing":
      return ones.map((one) => get(`/investments/${one.id}`, marketing, { body: one.marketing }));
    case "status":
      return ones.map((one) => get(`/investments/${one.id}/status`, partner, { body: one.status }));
    case "events":
      return ones.map((one) => get(`/investments/${one.id}/events`, partner, { body: one.events }));
    case "one-each":
      return samples.others.map((id) => get(`/investments/${id}`, partner));
    case "missing":
      return [get(`/investments/${missing}`, partner, { status: 404, code: "investment_not_found" })];
    case "limited":
      return [get(`/offerings/${offering.id}`, marketing, { status: 429, code: "rate_limit_exceeded" })];
    case "list-turns":
      return samples.turns.map(listRequest);
    default:
      return [listRequest(listOf(samples, work))];
  }

  function listRequest({ page, size, filter, document }) {
    const query = new URLSearchParams({ page, size, ...filter }).toString();
    return get(`/offerings/${offering.id}/investments?${query}`, partner, { body: document });
  }
}

function get(path, { key }, expected) {
  return asking(`/api/v1${path}`, { headers: { authorization: `Bearer ${key}` }, ...expected });
}
