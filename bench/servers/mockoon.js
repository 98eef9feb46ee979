// Mockoon serves data buckets through its CRUD routes: investments as whole documents, and the rows of their list. It knows
// no keys and no limit, and logs each request whether asked to or not.
import { join } from "node:path";
import { listOf } from "../data/work.js";
import { listParts, writeParts } from "../data/write-parts.js";
import { asking } from "./asking.js";
import { collections } from "./collections.js";
import { renamed } from "./json-server.js";

const version = "9.9.0";

export const mockoon = {
  id: "mockoon",
  title: `Mockoon CLI ${version}`,
  packages: [`@mockoon/cli@${version}`],
  works: ["one", "list-first", "list-middle", "list-last", "list-filtered", "missing"],
  file: "mockoon.json",
  write: writeEnvironment,
  start: ({ file, port, installed }) => ({
    args: [
      join(installed, "node_modules/@mockoon/cli/bin/run.js"),
      "start",
      "--data",
      file,
      "--port",
      port,
      "--disable-log-to-file",
    ],
  }),
  requests(work, samples) {
    if (work === "one") {
      return samples.ones.map(({ id, partner }) => asking(`/investments/${id}`, { body: { id, ...partner } }));
    }
    if (work === "missing") return [asking(`/investments/${samples.missing}`, { status: 404, body: {} })];
    const { page, size, filter, rows } = listOf(samples, work);
    const query = { page, limit: size, ...renamed(filter, { gte: "_gte", lte: "_lte" }) };
    return [asking(`/list?${new URLSearchParams(query).toString()}`, { body: rows })];
  },
};

const uuid = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const buckets = Object.keys(collections);

function writeEnvironment(file, { entries }) {
  const environment = {
    uuid: uuid(0),
    lastMigration: 33,
    name: "bench",
    port: 3000,
    routes: buckets.map((name, index) => ({
      uuid: uuid(10 + index),
      type: "crud",
      endpoint: name,
      responses: [
        { uuid: uuid(20 + index), statusCode: 200, bodyType: "DATABUCKET", databucketID: name, default: true },
      ],
    })),
    rootChildren: buckets.map((_, index) => ({ type: "route", uuid: uuid(10 + index) })),
  };
  writeParts(file, parts());

  function* parts() {
    yield `${JSON.stringify(environment).slice(0, -1)},"data":[`;
    for (const [index, name] of buckets.entries()) {
      yield `${index === 0 ? "" : ","}{"uuid":"${uuid(30 + index)}","id":"${name}","name":"${name}","value":"`;
      // A bucket's value is a text that holds JSON.
      for (const part of listParts(entries, collections[name])) yield JSON.stringify(part).slice(1, -1);
      yield `"}`;
    }
    yield "]}";
  }
}
