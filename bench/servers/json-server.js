import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { collectionRequests, collections, renamed, works } from "./collections.js";

const shared = { works, file: "db.json", write };

export const jsonServer0 = {
  ...shared,
  id: "json-server-0.17",
  title: "json-server 0.17.4",
  packages: ["json-server@0.17.4"],
  start({ file, port, installed }) {
    const program = join(installed, "node_modules/json-server/lib/cli/bin.js");
    return { args: [program, "--quiet", "--host", "127.0.0.1", "--port", port, file] };
  },
  requests: (work, samples) =>
    collectionRequests(work, samples, ({ page, size, filter }, { data }) => ({
      query: { _page: page, _limit: size, ...renamed(filter, "_") },
      body: data,
    })),
};

export const jsonServer1 = {
  ...shared,
  id: "json-server-1.0",
  title: "json-server 1.0.0-beta.15",
  packages: ["json-server@1.0.0-beta.15"],
  node: { atLeast: [22, 12] },
  start: ({ file, port, installed }) => ({
    args: [join(installed, "node_modules/json-server/lib/bin.js"), "--port", port, file],
  }),
  requests: (work, samples) =>
    collectionRequests(work, samples, ({ page, size, filter }, { data, meta }) => {
      const { total: items, pages } = meta;
      const [prev, next] = [page > 1 ? page - 1 : null, page < pages ? page + 1 : null];
      return {
        query: { _page: page, _per_page: size, ...renamed(filter, ":") },
        body: { first: 1, prev, next, last: pages, pages, items, data },
      };
    }),
};

function write(file, { entries }) {
  const { investments, list } = collections(entries);
  writeFileSync(file, `{"investments":${investments},"list":${list}}`);
}
