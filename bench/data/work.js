/**
 * What is asked of the servers. `atEverySize` is the work whose cost may grow with the number of investments; the rest is
 * measured at one size. What is asked for `once` nobody can have kept from the time before: it needs many investments.
 */
export const works = [
  { id: "one", title: "GET one, Partner key", atEverySize: true },
  { id: "one-marketing", title: "GET one, Marketing key" },
  { id: "status", title: "status" },
  { id: "events", title: "events" },
  { id: "list-first", title: "list of 20, first page" },
  { id: "list-middle", title: "list of 20, middle page", atEverySize: true },
  { id: "list-last", title: "list of 20, last page" },
  { id: "list-turns", title: "list of 20, fifty pages in turn" },
  { id: "list-filtered", title: "list of 20, filtered by dates", atEverySize: true },
  { id: "missing", title: "404" },
  { id: "limited", title: "429" },
  { id: "one-each", title: "GET one, each asked for once", once: true },
];

/** Of the sizes of a run, the one at which everything is measured. */
export function referenceOf(sizes) {
  return sizes.find((size) => size >= 1000) ?? sizes.at(-1);
}

/** From so many investments on there are enough that were not asked for. */
const enough = 10_000;

/** The works at a size, of which one is the reference. */
export function worksAt(size, reference) {
  return works.filter(({ atEverySize, once }) => (once ? size >= enough : atEverySize || size === reference));
}

/** What a list work asks for in `samples.lists`. */
export function listOf(samples, work) {
  return samples.lists[work.replace("list-", "")];
}
