/**
 * The measured operations. The cost of those with `atEverySize` may grow with the number of investments; the others are
 * measured at one size. With `once`, each request reads another investment, so many are needed.
 */
export const works = [
  { id: "one", title: "GET one, Partner key", atEverySize: true },
  { id: "one-marketing", title: "GET one, Marketing key" },
  { id: "status", title: "status" },
  { id: "events", title: "events" },
  { id: "list-middle", title: "list of 20, middle page", atEverySize: true },
  { id: "list-turns", title: "list of 20, fifty pages in turn" },
  { id: "list-filtered", title: "list of 20, filtered by dates", atEverySize: true },
  { id: "one-each", title: "GET one, each asked for once", once: true },
];

/** The size used for works that are measured at one size. */
export function referenceOf(sizes) {
  return sizes.find((size) => size >= 1000) ?? sizes.at(-1);
}

export function worksAt(size, reference) {
  return works.filter(({ atEverySize, once }) => (once ? size >= 10_000 : atEverySize || size === reference));
}
