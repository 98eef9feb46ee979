/** The requests of a work in the form of the service, with their expected bodies if known. */
export function serviceRequests(work, { offering, keys, repeatedIds, freshIds, pages, bodies }) {
  const { partner, marketing } = keys;
  const paths = {
    // oxlint-disable-next-line id-denylist -- the id of a measured operation
    one: () => repeatedIds.map((id) => `/investments/${id}`),
    "one-marketing": () => repeatedIds.map((id) => `/investments/${id}`),
    status: () => repeatedIds.map((id) => `/investments/${id}/status`),
    events: () => repeatedIds.map((id) => `/investments/${id}/events`),
    "one-each": () => freshIds.map((id) => `/investments/${id}`),
  };
  const list = () => pages[work].map((page) => listPath(offering, page));
  const key = work === "one-marketing" ? marketing : partner;
  return (paths[work] ?? list)().map((path, index) => get(path, key, bodies[work]?.[index]));
}

export function listPath(offering, { page, size, filter }) {
  return `/offerings/${offering}/investments?${new URLSearchParams({ page, size, ...filter }).toString()}`;
}

export function get(path, key, body) {
  return { path: `/api/v1${path}`, headers: { authorization: `Bearer ${key}` }, body };
}
