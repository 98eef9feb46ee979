import { dirname, isAbsolute, join } from "node:path";
import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from "yaml";
import { didYouMean, isName } from "../../model/text.ts";
import type { Given, Setting, Settings } from "./setting.ts";
import { startSettings } from "./start-settings.ts";

/**
 * What the text of a config file, YAML or JSON, gives. Adds a line to `mistakes`, with file, line and column, for each
 * thing that is wrong with its form or its keys.
 */
export function givenByConfig(table: Settings, file: string, text: string, mistakes: string[]): Given[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  for (const { pos, message } of document.errors) mistakes.push(`${at(pos[0])}: ${message}`);
  if (document.errors.length > 0 || document.contents === null) return [];
  if (!isMap(document.contents)) {
    mistakes.push(`${at(document.contents.range[0])}: expected settings such as "port: 4120"`);
    return [];
  }
  return document.contents.items.flatMap((pair) => {
    const { key, value } = nodes(pair);
    const name = String(key);
    const place = at(key.range?.[0] ?? 0);
    const setting = Object.hasOwn(table, name) ? table[name] : undefined;
    if (name === "$schema") return [];
    if (!setting || setting.notInConfig) {
      mistakes.push(`${place}: There is no setting "${name}".${hint(name, table)}`);
      return [];
    }
    const found = texts(setting, value);
    if (!found) {
      mistakes.push(`${place}: ${name}: expected ${setting.kind.expected}, not ${isMap(value) ? "a map" : "a list"}.`);
      return [];
    }
    return found.map(({ node, written }) => ({
      setting: name,
      text: setting.file ? besideConfig(file, written, setting.file) : written,
      place: `${at(node?.range?.[0] ?? key.range?.[0] ?? 0)}: ${name}`,
    }));
  });
}

function nodes(pair: Pair): { key: Node; value: Node | null } {
  return { key: pair.key as Node, value: pair.value as Node | null };
}

function hint(name: string, table: Settings): string {
  const positive = name.replace(/^no-/, "");
  if (positive !== name && Object.hasOwn(table, positive)) return ` Write "${positive}: false".`;
  return didYouMean(
    name,
    Object.keys(table).filter((key) => table[key]?.notInConfig !== true),
  );
}

/** The texts of a value as a flag would have them; undefined where the setting takes no list or no map. */
function texts({ kind, off }: Setting, value: Node | null): { node: Node | null; written: string }[] | undefined {
  // An empty list says none, which is not the same as saying nothing.
  if (isSeq(value) && value.items.length === 0 && off !== undefined) return [{ node: value, written: "false" }];
  if (isSeq(value) && kind.shape !== "one") {
    return value.items.map((item) => ({ node: item as Node, written: scalarText(item as Node) }));
  }
  if (isMap(value) && kind.shape === "map") {
    return value.items.map((pair) => {
      const { key, value: set } = nodes(pair);
      return { node: key, written: `${String(key)}=${scalarText(set)}` };
    });
  }
  return isSeq(value) || isMap(value) ? undefined : [{ node: value, written: scalarText(value) }];
}

/** As written, so that a token of digits keeps its zeros. */
function scalarText(node: Node | null): string {
  return isScalar(node) ? (node.source ?? String(node.value)) : String(node ?? "");
}

function besideConfig(config: string, written: string, file: "path" | "name or path"): string {
  const named = file === "name or path" && isName(written);
  return named || isAbsolute(written) ? written : join(dirname(config), written);
}

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
