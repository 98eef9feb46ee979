import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import { assume, catalog } from "../src/assumptions/catalog.ts";
import { formOf, type Row } from "../src/assumptions/row.ts";
import { varyReportSchema } from "../src/cli/exec/vary-report.ts";
import { behaviors, risks } from "../src/coverage/catalog.ts";
import { editorSchema } from "../src/files/editor-schema.ts";
import { draftFixture } from "../src/fixture/complete/complete.ts";
import { printFixture } from "../src/fixture/printed-fixture.ts";
import { sparseFixture, type SparseFixture } from "../src/fixture/schema.ts";
import { type ErrorCode, errorCatalog, errorReasons } from "../src/model/error-catalog.ts";
import { parseScenario } from "../src/scenario/parse.ts";
import { writtenScenario } from "../src/scenario/schema.ts";
import { describeService } from "../src/server/service-description.ts";
import { configSchema } from "../src/settings/config-file.ts";
import { adminOpenApiDocument } from "./admin-openapi/document.ts";
import { portalPaths } from "./portal-paths.ts";
import { publicTypes } from "./public-types.ts";
import { publishedTypes } from "./published-types.ts";

const root = new URL("../", import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), "utf8");
const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
const sources = readdirSync(new URL("fixtures/source/", root));

/** The text of each generated, checked-in file. Each one only reads those before it. */
export const generated: Readonly<Record<string, () => string | Promise<string>>> = {
  "src/model/shapes.ts": publishedTypes,
  ...Object.fromEntries(sources.map((file) => [`fixtures/${file}`, () => completedFixture(file)])),
  "schema/fixture.schema.json": () => json(editorSchema(sparseFixture)),
  "docs/assumptions.md": () => pageWith("docs/assumptions.md", assumptionTable()),
  "docs/errors.md": () => pageWith("docs/errors.md", errorTable()),
  "docs/coverage.md": () => pageWith("docs/coverage.md", coverageTables()),
  "schema/config.schema.json": () => json(configSchema()),
  "schema/scenario.schema.json": () => json(editorSchema(writtenScenario)),
  "schema/vary-report.schema.json": () => json(z.toJSONSchema(varyReportSchema)),
  "scenarios/checked.json": checkedScenarios,
  "schema/openapi-admin.json": () => json(adminOpenApiDocument()),
  "portal/data/paths.ts": portalPaths,
  // Under conventional assumptions, with examples from the demo fixture.
  "schema/openapi.json": async () =>
    json(await describeService({ assumptions: assume("conventional"), rateLimit: 120 }, "http://localhost:4120")),
  "test/package/public-types.txt": publicTypes,
};

/** Completes a fixture of fixtures/source. */
function completedFixture(file: string): string {
  const sparse = JSON.parse(read(`fixtures/source/${file}`)) as SparseFixture;
  const fixture = draftFixture(sparse, { name: file.replace(".json", "") });
  return [...printFixture(fixture, "resource")].join("");
}

function assumptionTable(): string[] {
  const rows = catalog.map(
    (row) =>
      `| \`${row.id}\` | ${row.question} | ${row.section} | \`${row.conventional}\` | \`${row.minimal}\` | ${formatMeanings(row)} |`,
  );
  return ["| id | question | section | conventional | minimal | values |", "|---|---|---|---|---|---|", ...rows];
}

function errorTable(): string[] {
  const rows = Object.entries(errorReasons).map(
    ([code, [cause, remedy]]) => `| \`${code}\` | ${errorCatalog[code as ErrorCode].status} | ${cause} | ${remedy} |`,
  );
  return ["| code | status | cause | remedy |", "|---|---|---|---|", ...rows];
}

function coverageTables(): string[] {
  const behaviorRows = behaviors.map(({ id, section, sentence }) => `| \`${id}\` | ${section} | ${sentence} |`);
  const riskRows = risks.map(({ id, section, sentence }) => `| \`${id}\` | ${section} | ${sentence} |`);
  const [head, riskHead] = ["| id | section | behavior |", "| risk | section | the client |"];
  return [head, "|---|---|---|", ...behaviorRows, "", riskHead, "|---|---|---|", ...riskRows];
}

/** Returns a page with these lines between its two markers. */
function pageWith(file: string, lines: readonly string[]): string {
  const [textBefore, rest = ""] = read(file).split(/(?<=<!-- catalog -->\n)/);
  const textAfter = rest.slice(rest.indexOf("<!-- end -->"));
  return `${textBefore}\n${lines.join("\n")}\n\n${textAfter}`;
}

function formatMeanings({ values, accepts }: Row): string {
  const lines = Object.entries(values).map(([value, meaning]) => `\`${value}\`: ${meaning}`);
  if (accepts) lines.push(formOf(accepts).description);
  return lines.join("<br>").replaceAll("|", "\\|");
}

/** The checked form of the shipped scenarios, which a start reads instead of their YAML. */
function checkedScenarios(): string {
  const files = readdirSync(new URL("scenarios/", root)).filter((file) => file.endsWith(".yaml"));
  const lines = files.toSorted().map((file) => JSON.stringify(parseScenario(read(`scenarios/${file}`), file).scenario));
  return `[\n${lines.join(",\n")}\n]\n`;
}
