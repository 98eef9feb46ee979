import { createServer } from "node:http";
import { readPrebuilt, sendPrebuilt } from "./prebuilt.js";

const [file, port] = process.argv.slice(2);
const answers = readPrebuilt(file);
createServer((request, response) => sendPrebuilt(answers, request, response)).listen(Number(port), "127.0.0.1");
