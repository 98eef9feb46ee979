import { fileURLToPath } from "node:url";
import { works } from "../data/work.js";
import { writePrebuilt } from "./prebuilt.js";
import { serviceRequests } from "./service-requests.js";

/** What Node's own HTTP server can do at best: it finds bytes in a map and sends them. */
export const limit = {
  id: "limit",
  title: "bare `node:http`, prebuilt bytes: **the limit**",
  ours: true,
  works: works.map(({ id }) => id),
  file: "prebuilt",
  write: writePrebuilt,
  start: ({ file, port }) => ({ args: [fileURLToPath(new URL("limit-server.js", import.meta.url)), file, port] }),
  requests: serviceRequests,
};
