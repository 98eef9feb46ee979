// json-server has two collections, investments as whole documents and the rows of their list, so that it sends what the
// product sends, though indented. It knows no keys and no limit.
import { join } from "node:path";
import { listOf } from "../data/work.js";
import { listParts, writeParts } from "../data/write-parts.js";
import { asking } from "./asking.js";
import { collections } from "./collections.js";

const shared = {
  works: ["one", "list-first", "list-middle", "list-last", "list-filtered", "missing"],
  file: "db.json",
  write: writeCollections,
};

export const jsonServer0 = {
  ...shared,
  id: "json-server-0.17",
  title: "json-server 0.17.4",
  packages: ["json-server@0.17.4"],
  start: ({ file, port, installed }) => ({
    args: [
      join(installed, "node_modules/json-server/lib/cli/bin.js"),
      "--quiet",
      "--host",
      "127.0.0.1",
      "--port",
      port,
      file,
    ],
  }),
  requests: (work, samples) =>
    requests(work, samples, {
      notThere: {},
      list: ({ page, size, filter, rows }) => ({
        query: { _page: page, _limit: size, ...renamed(filter, { gte: "_gte", lte: "_lte" }) },
        body: rows,
      }),
    }),
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
    requests(work, samples, {
      notThere: { error: "Not Found" },
      list({ page, size, filter, rows, total }) {
        const last = Math.ceil(total / size);
        const [prev, next] = [page > 1 ? page - 1 : null, page < last ? page + 1 : null];
        return {
          query: { _page: page, _per_page: size, ...renamed(filter, { gte: ":gte", lte: ":lte" }) },
          body: { first: 1, prev, next, last, pages: last, items: total, data: rows },
        };
      },
    }),
};

/** The service's parameters in the words of a json-server: `create_date[gte]` in those of its operators. */
export function renamed(filter, operators) {
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      const [, attribute, operator] = /^(.*)\[(.*)\]$/.exec(name);
      return [`attributes.${attribute}${operators[operator]}`, value];
    }),
  );
}

function requests(work, samples, { notThere, list }) {
  if (work === "one") {
    return samples.ones.map(({ id, partner }) => asking(`/investments/${id}`, { body: { id, ...partner } }));
  }
  if (work === "missing") return [asking(`/investments/${samples.missing}`, { status: 404, body: notThere })];
  const { query, body } = list(listOf(samples, work));
  return [asking(`/list?${new URLSearchParams(query).toString()}`, { body })];
}

function writeCollections(file, { entries }) {
  writeParts(file, parts());

  function* parts() {
    let between = "{";
    for (const [name, toItem] of Object.entries(collections)) {
      yield `${between}"${name}":`;
      yield* listParts(entries, toItem);
      between = ",";
    }
    yield "}";
  }
}
