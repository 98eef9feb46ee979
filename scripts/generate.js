// Writes the checked-in generated files, except the types of src/model/shapes.ts: the build needs those.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { assume } from "../build/src/assumptions/assume.js";
import { catalogue } from "../build/src/assumptions/catalogue.js";
import { formOf } from "../build/src/assumptions/forms.js";
import { behaviours, groups, risks } from "../build/src/coverage/catalogue.js";
import { configSchema } from "../build/src/settings/config-file.js";
import { complete } from "../build/src/fixture/complete/complete.js";
import { printFixture } from "../build/src/fixture/print.js";
import { fixtureJsonSchema } from "../build/src/fixture/schema.js";
import { parseScenario } from "../build/src/scenario/parse.js";
import { scenarioJsonSchema } from "../build/src/scenario/schema.js";
import { describeService } from "../build/src/server/service-description.js";

const root = new URL("../", import.meta.url);
const read = (file) => readFile(new URL(file, root), "utf8");
const write = (file, text) => writeFile(new URL(file, root), text);
const writeJson = (file, value) => write(file, `${JSON.stringify(value, undefined, 2)}\n`);

await Promise.all((await readdir(new URL("fixtures/source/", root))).map(writeFixture));
await writeJson("schema/fixture.schema.json", fixtureJsonSchema());
await writeAssumptions();
await writeCoverage();
await writeJson("schema/config.schema.json", configSchema());
await writeJson("schema/scenario.schema.json", scenarioJsonSchema());
await writeScenarios();
await writeJson("schema/openapi-admin.json", (await script("admin-openapi/document.ts")).adminOpenApiDocument());
await write("portal/server/paths.ts", (await script("portal-paths.ts")).portalPaths());
await write("test/package/public-types.txt", (await script("public-types.ts")).publicTypes());
// With conventional assumptions, and examples from the demo fixture.
const terms = { assumptions: assume("conventional"), rateLimit: 120 };
await writeJson("schema/openapi.json", await describeService(terms, "http://localhost:4120"));

/** Completes a fixture of fixtures/source into the shipped one. */
async function writeFixture(file) {
  const sparse = JSON.parse(await read(`fixtures/source/${file}`));
  const completed = complete(sparse, { name: file.replace(".json", "") });
  await write(`fixtures/${file}`, [...printFixture(completed, "resource")].join(""));
}

/** Writes the table of docs/assumptions.md from the catalogue. */
async function writeAssumptions() {
  const rows = catalogue.map(
    (row) =>
      `| \`${row.id}\` | ${row.question} | ${row.section} | \`${row.conventional}\` | \`${row.minimal}\` | ${meanings(row)} |`,
  );
  const table = ["| id | question | section | conventional | minimal | values |", "|---|---|---|---|---|---|", ...rows];
  await writeBetween("docs/assumptions.md", table);
}

/** Writes the tables of docs/coverage.md from the catalogue. */
async function writeCoverage() {
  const lines = groups.flatMap((group) => [
    `## ${group[0].toUpperCase()}${group.slice(1)}`,
    "",
    "| id | section | behaviour | to meet it |",
    "|---|---|---|---|",
    ...behaviours
      .filter((one) => one.group === group)
      .map(({ id, section, sentence, remedy }) => `| \`${id}\` | ${section} | ${sentence} | \`\`${remedy}\`\` |`),
    "",
  ]);
  const rows = risks.map(({ id, section, sentence }) => `| \`${id}\` | ${section} | ${sentence} |`);
  const table = ["## Risks", "", "| id | section | the client |", "|---|---|---|", ...rows];
  await writeBetween("docs/coverage.md", [...lines, ...table]);
}

/** Writes lines between the two markers of a page. */
async function writeBetween(file, lines) {
  const [before, rest] = (await read(file)).split(/(?<=<!-- catalogue -->\n)/);
  const after = rest.slice(rest.indexOf("<!-- end -->"));
  await write(file, `${before}\n${lines.join("\n")}\n\n${after}`);
}

function meanings({ values, accepts }) {
  const lines = Object.entries(values).map(([value, meaning]) => `\`${value}\`: ${meaning}`);
  if (accepts) lines.push(formOf(accepts).words);
  return lines.join("<br>").replaceAll("|", "\\|");
}

/** Writes the checked form of the shipped scenarios: a start reads it instead of their YAML. */
async function writeScenarios() {
  const files = (await readdir(new URL("scenarios/", root))).filter((file) => file.endsWith(".yaml")).toSorted();
  const scenarios = await Promise.all(
    files.map(async (file) => parseScenario(await read(`scenarios/${file}`), file).scenario),
  );
  const lines = scenarios.map((scenario) => JSON.stringify(scenario));
  await write("scenarios/checked.json", `[\n${lines.join(",\n")}\n]\n`);
}

/** Vite runs TypeScript on every supported version of Node. */
async function script(file) {
  return (await runnerImport(fileURLToPath(new URL(file, import.meta.url)))).module;
}
