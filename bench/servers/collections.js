// Peers that serve collections hold two: investments as whole documents, and the rows of their list. They know no keys and
// no limit.

/** The works that they can do. */
export const works = ["one", "list-first", "list-middle", "list-last", "list-filtered"];

/** The collections as JSON. */
export function collections(entries) {
  const investments = entries.map(({ id, document }) => `{"id":${JSON.stringify(id)},${document.slice(1)}`);
  return { investments: jsonList(investments), list: jsonList(entries.map(({ row }) => row)) };
}

/** The requests of a work; `list` gives the query for a page of the service, and the body for the service's answer. */
export function collectionRequests(work, { ones, pages, bodies }, list) {
  if (work === "one") {
    return ones.map((id, index) => ({ path: `/investments/${id}`, body: { id, ...bodies.one[index] } }));
  }
  return pages[work].map((page, index) => {
    const { query, body } = list(page, bodies[work][index]);
    return { path: `/list?${new URLSearchParams(query).toString()}`, body };
  });
}

/** A filter in a peer's words: `create_date[gte]` is `attributes.create_date`, and an operator such as `_gte`. */
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
