// Mockoon serves data buckets through its CRUD routes. It logs each request; the log cannot be disabled.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { collectionRequests, collections, renamed, works } from "./collections.js";

const version = "9.9.0";

export const mockoon = {
  id: "mockoon",
  title: `Mockoon CLI ${version}`,
  packages: [`@mockoon/cli@${version}`],
  works,
  file: "mockoon.json",
  write,
  start({ file, port, installed }) {
    const program = join(installed, "node_modules/@mockoon/cli/bin/run.js");
    return { args: [program, "start", "--data", file, "--port", port, "--disable-log-to-file"] };
  },
  requests: (work, samples) =>
    collectionRequests(work, samples, ({ page, size, filter }, { data }) => ({
      query: { page, limit: size, ...renamed(filter, "_") },
      body: data,
    })),
};

const uuid = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

function write(file, { entries }) {
  const buckets = Object.entries(collections(entries));
  const environment = {
    uuid: uuid(0),
    lastMigration: 33,
    name: "bench",
    port: 3000,
    routes: buckets.map(([name], index) => ({
      uuid: uuid(10 + index),
      type: "crud",
      endpoint: name,
      responses: [
        { uuid: uuid(20 + index), statusCode: 200, bodyType: "DATABUCKET", databucketID: name, default: true },
      ],
    })),
    rootChildren: buckets.map((_, index) => ({ type: "route", uuid: uuid(10 + index) })),
    data: buckets.map(([name, value], index) => ({ uuid: uuid(30 + index), id: name, name, value })),
  };
  writeFileSync(file, JSON.stringify(environment));
}
