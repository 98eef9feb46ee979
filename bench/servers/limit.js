import { fileURLToPath } from "node:url";
import { writePrebuilt } from "./prebuilt.js";
import { serviceRequests } from "./service-requests.js";

/** The least work possible with Node's own HTTP server: it finds bytes in a map and sends them. */
export const limit = {
  id: "limit",
  title: "bare `node:http`, prebuilt bytes: **the limit**",
  file: "prebuilt",
  write: writePrebuilt,
  start: ({ file, port }) => ({ args: [fileURLToPath(new URL("limit-server.js", import.meta.url)), file, port] }),
  requests: serviceRequests,
};
