import { fileURLToPath } from "node:url";
import { limit } from "./limit.js";

/** Express with one route for each operation, which sends the limit's bytes: the least work possible with Express. */
export const express = {
  ...limit,
  id: "express",
  title: "Express 5.3.0, prebuilt bytes",
  works: ["one", "list-middle", "list-filtered", "one-each"],
  packages: ["express@5.3.0"],
  start: ({ file, port, installed }) => ({
    args: [fileURLToPath(new URL("express-server.js", import.meta.url)), file, port, installed],
  }),
};
