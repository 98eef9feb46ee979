import { createRequire } from "node:module";
import { readPrebuilt, sendPrebuilt } from "./prebuilt.js";

const [file, port, installed] = process.argv.slice(2);
const express = createRequire(`${installed}/`)("express");
const answers = readPrebuilt(file);
const app = express();
for (const path of [
  "/offerings/:id/investments",
  "/investments/:id",
  "/investments/:id/status",
  "/investments/:id/events",
]) {
  app.get(`/api/v1${path}`, (request, response) => sendPrebuilt(answers, request, response));
}
app.listen(Number(port), "127.0.0.1");
