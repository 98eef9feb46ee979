// Writes the table of docs/assumptions.md from the catalogue, between its two markers.
import { readFile, writeFile } from "node:fs/promises";
import { catalogue } from "../build/src/assumptions/catalogue.js";
import { formOf } from "../build/src/assumptions/forms.js";

const file = new URL("../docs/assumptions.md", import.meta.url);
const [before, rest] = (await readFile(file, "utf8")).split(/(?<=<!-- catalogue -->\n)/);
const after = rest.slice(rest.indexOf("<!-- end -->"));

function meanings({ values, accepts }) {
  const known = Object.entries(values).map(([value, meaning]) => `\`${value}\`: ${meaning}`);
  if (accepts) known.push(formOf(accepts).words);
  return known.join("<br>").replaceAll("|", "\\|");
}

const rows = catalogue.map(
  (row) =>
    `| \`${row.id}\` | ${row.question} | ${row.section} | \`${row.conventional}\` | \`${row.minimal}\` | ${meanings(row)} |`,
);
const table = ["| id | question | section | conventional | minimal | values |", "|---|---|---|---|---|---|", ...rows];
await writeFile(file, `${before}\n${table.join("\n")}\n\n${after}`);
