// Peers with collections hold two: whole investments as documents, and the rows of their list. They have no keys and no rate
// limit.

/** The works possible with collections. */
export const works = ["one", "list-first", "list-middle", "list-last", "list-filtered"];

/** The collections as JSON. */
export function collections(entries) {
  const investments = entries.map(({ id, document }) => `{"id":${JSON.stringify(id)},${document.slice(1)}`);
  return { investments: jsonList(investments), list: jsonList(entries.map(({ row }) => row)) };
}

/** The requests of a work; `list` converts a page of the service to a query, and the service's answer to a body. */
export function collectionRequests(work, { ones, pages, bodies }, list) {
  if (work === "one") {
    return ones.map((id, index) => ({ path: `/investments/${id}`, body: { id, ...bodies.one[index] } }));
  }
  return pages[work].map((page, index) => {
    const { query, body } = list(page, bodies[work][index]);
    return { path: `/list?${new URLSearchParams(query).toString()}`, body };
  });
}

/** Renames a filter for a peer: `create_date[gte]` to `attributes.create_date` and an operator such as `_gte`. */
export function renamed(filter = {}, operator) {
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      const [, attribute, bound] = /^(.*)\[(.*)\]$/.exec(name);
      return [`attributes.${attribute}${operator}${bound}`, value];
    }),
  );
}

function jsonList(items) {
  return `[${items.join(",\n")}]`;
}
