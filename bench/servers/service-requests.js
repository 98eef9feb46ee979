/** The requests of a work in the form of the service, with their expected bodies if known. */
export function serviceRequests(work, { offering, keys, ones, others, pages, bodies }) {
  const { partner, marketing } = keys;
  const paths = {
    one: () => ones.map((id) => `/investments/${id}`),
    "one-marketing": () => ones.map((id) => `/investments/${id}`),
    status: () => ones.map((id) => `/investments/${id}/status`),
    events: () => ones.map((id) => `/investments/${id}/events`),
    "one-each": () => others.map((id) => `/investments/${id}`),
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
