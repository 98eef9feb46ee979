// json-server does not have keys or a rate limit. It has two collections: investments as documents, and the rows of
// their list.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const version = "0.17.4";

export const jsonServer = {
  id: "json-server",
  title: `json-server ${version}`,
  packages: [`json-server@${version}`],
  works: ["one", "list-middle", "list-filtered"],
  file: "db.json",
  write,
  start({ file, port, installed }) {
    const program = join(installed, "node_modules/json-server/lib/cli/bin.js");
    return { args: [program, "--quiet", "--host", "127.0.0.1", "--port", port, file] };
  },
  requests(work, { repeatedIds, pages, bodies }) {
    if (work === "one") {
      return repeatedIds.map((id, index) => ({ path: `/investments/${id}`, body: { id, ...bodies.one[index] } }));
    }
    return pages[work].map(({ page, size, filter }, index) => {
      const query = new URLSearchParams({ _page: page, _limit: size, ...renameFilter(filter) });
      return { path: `/list?${query}`, body: bodies[work][index].data };
    });
  },
};

/** A filter as json-server reads it: `create_date[gte]` is `attributes.create_date_gte`. */
function renameFilter(filter = {}) {
  const entries = Object.entries(filter);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.replace(/^(.*)\[(.*)\]$/, "attributes.$1_$2"), value]),
  );
}

function write(file, { entries }) {
  const investments = entries.map(({ id, document }) => `{"id":${JSON.stringify(id)},${document.slice(1)}`);
  const rows = entries.map(({ row }) => row);
  writeFileSync(file, `{"investments":[${investments.join(",\n")}],"list":[${rows.join(",\n")}]}`);
}
