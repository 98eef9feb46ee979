import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { parse } from "yaml";
import type { Block } from "./block.ts";
import type { Project } from "./project.ts";

/** A fixture without errors and warnings. */
export async function checkFixture({ text, line, settings }: Block, project: Project): Promise<void> {
  const { file = `block-${line}.json` } = settings;
  await expectSchema("fixture", JSON.parse(text));
  await check("fixture", file, text, project);
}

/** A scenario without errors and warnings. */
export async function checkScenario({ text, line, settings }: Block, project: Project): Promise<void> {
  const { file = `block-${line}.yaml` } = settings;
  await expectSchema("scenario", parse(text));
  await check("scenario", file, text, project);
}

/** Valid settings of a sandbox. */
export async function checkConfig({ text, settings }: Block, project: Project): Promise<void> {
  const { file = "offering-sandbox.config.yaml" } = settings;
  await expectSchema("config", parse(text));
  await project.write(file, text);
}

async function check(kind: "fixture" | "scenario", file: string, text: string, project: Project): Promise<void> {
  await project.write(file, text);
  await project.expect(`offering-sandbox ${kind} check ${file}`);
  if (project.printed.includes("warning")) throw new Error(project.printed);
}

async function expectSchema(name: "fixture" | "scenario" | "config", value: unknown): Promise<void> {
  const schema = new URL(`../../../schema/${name}.schema.json`, import.meta.url);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const validate = ajv.compile(JSON.parse(await readFile(schema, "utf8")) as object);
  if (!validate(value)) throw new Error(JSON.stringify(validate.errors, null, 2));
}
