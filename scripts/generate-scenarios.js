// Writes the checked form of the scenarios that ship, which a start reads instead of their YAML.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { parseScenario } from "../build/src/scenario/parse.js";

const folder = new URL("../scenarios/", import.meta.url);
const files = (await readdir(folder)).filter((file) => file.endsWith(".yaml")).toSorted();
const scenarios = await Promise.all(
  files.map(async (file) => parseScenario(await readFile(new URL(file, folder), "utf8"), file).scenario),
);
const lines = scenarios.map((scenario) => JSON.stringify(scenario));
await writeFile(new URL("checked.json", folder), `[\n${lines.join(",\n")}\n]\n`);
