import { works } from "../data/work.js";
import { median } from "../statistics.js";
import { count, figure, table, withSpread } from "../table.js";

const main = works.filter(({ atEverySize }) => atEverySize);
const growing = works.filter(({ atEverySize, once }) => atEverySize || once);

/** The tables of what the requests have cost. */
export function requestTables(figures, { sizes, reference, servers }) {
  const details = works.map((work) => detail(work)).filter(Boolean);
  return [
    `${count(reference)} investments; medians of the rounds:`,
    summary(),
    "<details>\n<summary>Every work, with the spread of the rounds</summary>",
    ...details,
    "</details>",
    ...(sizes.length > 1 ? [`CPU µs a request, at ${sizes.map(count).join(" → ")} investments:`, growth()] : []),
    "Resident memory after all this, in MB:",
    memory(),
    ...notes(),
  ].join("\n\n");

  function summary() {
    const head = ["server", ...main.flatMap(({ title }) => [`${title}: requests/s`, "× limit", "CPU µs"])];
    const rows = servers.map((server) => [
      server.title,
      ...main.flatMap(({ id }) => {
        const wanted = { size: reference, work: id };
        return [cell(server, wanted, "rate"), ratio(server, wanted, "rate"), cell(server, wanted, "processor")];
      }),
    ]);
    return table(head, rows);
  }

  function detail({ id, title }) {
    const wanted = { size: reference, work: id };
    const measured = servers.filter((server) => figures.of({ ...wanted, server: server.id }).length > 0);
    if (measured.length === 0) return undefined;
    const head = [title, "requests/s", "× limit", "CPU µs", "× limit", "core busy"];
    const rows = measured.map((server) => [
      server.title,
      cell(server, wanted, "rate", withSpread),
      ratio(server, wanted, "rate"),
      cell(server, wanted, "processor", withSpread),
      ratio(server, wanted, "processor"),
      share(figures.values({ ...wanted, server: server.id }, "busy")),
    ]);
    return table(head, rows);
  }

  function growth() {
    const rows = servers
      .filter(({ atOneSize }) => !atOneSize)
      .map((server) => [
        server.title,
        ...growing.map(({ id }) =>
          sizes.map((size) => cell(server, { size, work: id }, "processor") || "–").join(" → "),
        ),
      ]);
    return table(["server", ...growing.map(({ title }) => title)], rows);
  }

  function memory() {
    const rows = servers.map((server) => [
      server.title,
      ...sizes.map((size) => withSpread(figures.values({ size, server: server.id, work: "memory" }, "memory"))),
    ]);
    return table(["server", ...sizes.map(count)], rows);
  }

  function cell(server, wanted, member, print = (values) => figure(median(values))) {
    const entries = figures.of({ ...wanted, server: server.id });
    if (entries.some(({ wrong }) => wrong)) return "wrong";
    if (entries.some(({ tooSlow }) => tooSlow)) return "given up";
    const values = entries.map((entry) => entry[member]);
    if (values.length === 0) return "";
    return print(values) + (entries.some(({ connections }) => connections === 1) ? "¹" : "");
  }

  function ratio(server, wanted, member) {
    const value = figures.ratio(wanted, member, { over: server.id, to: server.limit });
    return value === undefined ? "" : figure(value);
  }

  function notes() {
    const slow = servers.some(({ id }) => figures.of({ server: id, connections: 1 }).length > 0);
    const failures = [
      ...new Set(
        figures
          .of({ work: "start" })
          .map(({ server, size, failure }) => `${titleOf(server)} with ${count(size)} investments: ${failure}`),
      ),
    ];
    const givenUp = new Set(servers.flatMap(({ id }) => figures.values({ server: id }, "tooSlow")));
    return [
      ...(slow ? ["¹ One connection: fifty answers at a time would have taken longer than the measurement."] : []),
      ...(givenUp.size > 0 ? [`Given up: ${[...givenUp].join("; ")}.`] : []),
      ...failures.map((failure) => `Did not start: ${failure}`),
    ];
  }

  function titleOf(server) {
    return servers.find(({ id }) => id === server).title;
  }
}

function share(values) {
  return values.length === 0 ? "" : `${Math.round(median(values) * 100)} %`;
}
