import type { Setting, Settings } from "./setting.ts";
import { startSettings } from "./start-settings.ts";

/** The JSON Schema of config files: the settings that a file may hold, each with its description and default. */
export function configSchema(): object {
  const properties = Object.entries<Setting>(startSettings satisfies Settings)
    .filter(([, { notInConfig }]) => notInConfig !== true)
    .map(([name, setting]) => [name, property(setting)]);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "offering-sandbox config file",
    type: "object",
    additionalProperties: false,
    properties: { $schema: { type: "string" }, ...Object.fromEntries(properties) },
  };
}

function property({ kind, describe, otherwise, default: value }: Setting): object {
  const description = otherwise === undefined ? describe : `${describe}; otherwise ${otherwise}`;
  return { description, ...kind.schema, ...(value !== undefined && { default: value }) };
}
