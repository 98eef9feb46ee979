import { createServer } from "node:http";
import { readPrebuilt, sendPrebuilt } from "./prebuilt.js";

const [file, port] = process.argv.slice(2);
const responses = readPrebuilt(file);
createServer((request, response) => sendPrebuilt(responses, request, response)).listen(Number(port), "127.0.0.1");
