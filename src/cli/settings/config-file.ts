import { dirname, isAbsolute, join } from "node:path";
import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from "yaml";
import { bounds } from "../../model/bounds.ts";
import { didYouMean, escaped, isName, quoted } from "../../model/text.ts";
import { onOrOff } from "../../settings/kinds.ts";
import { fileSettings } from "../../settings/file-settings.ts";
import { byFlag, type Setting } from "../../settings/settings.ts";
import { type Given, nameIn } from "../../settings/values.ts";

/** The settings that a config file may hold, by their keys, which are the flags. */
const table = new Map([...byFlag(fileSettings)].filter(([, { setting }]) => setting.notInConfig !== true));

/** The same by the names of the options, which a config file may have too. */
const byName = new Map(Array.from(table.values(), (known) => [known.name, known]));

/**
 * The values in the text of a config file, YAML or JSON. Adds a line to `mistakes`, with file, line and column, for each
 * mistake in its form or its keys.
 */
export function givenByConfig(file: string, text: string, mistakes: string[]): Given[] {
  if (text.length > bounds.configText) {
    mistakes.push(`${escaped(file)}:1:1: This is longer than ${bounds.configText} characters; expected settings.`);
    return [];
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${escaped(file)}:${line}:${col}`;
  };
  for (const { pos, message } of document.errors) mistakes.push(`${at(pos[0])}: ${message}`);
  if (document.errors.length > 0 || document.contents === null) return [];
  if (!isMap(document.contents)) {
    mistakes.push(`${at(document.contents.range[0])}: expected settings such as "port: 4120"`);
    return [];
  }
  const given = new Set<string | undefined>();
  return document.contents.items.flatMap((pair) => {
    const { key, value } = nodes(pair);
    const flag = String(key);
    const place = at(key.range?.[0] ?? 0);
    if (flag === "$schema") return [];
    const known = table.get(flag) ?? byName.get(nameIn(fileSettings, flag.replaceAll("-", "_")) ?? "");
    if (known && given.has(known.name)) {
      mistakes.push(`${place}: ${quoted(flag)} is given already, under another name.`);
      return [];
    }
    given.add(known?.name);
    if (!known) {
      mistakes.push(`${place}: There is no setting ${quoted(flag)}.${hint(flag)}`);
      return [];
    }
    const { name, setting } = known;
    const found = texts(setting, value);
    if (!found) {
      mistakes.push(`${place}: ${flag}: expected ${setting.kind.expected}, not ${isMap(value) ? "a map" : "a list"}.`);
      return [];
    }
    return found.map(({ node, written }) => ({
      setting: name,
      text: setting.file ? besideConfig(file, written, setting.file) : written,
      place: `${at(node?.range?.[0] ?? key.range?.[0] ?? 0)}: ${flag}`,
    }));
  });
}

function nodes(pair: Pair): { key: Node; value: Node | null } {
  return { key: pair.key as Node, value: pair.value as Node | null };
}

function hint(flag: string): string {
  const positive = flag.replace(/^no-/, "");
  if (positive !== flag && table.has(positive)) return ` Write "${positive}: false".`;
  return didYouMean(flag, table.keys());
}

/** The texts of a value as a flag would have them; undefined if the setting takes no list or no map. */
function texts({ kind, off }: Setting, value: Node | null): { node: Node | null; written: string }[] | undefined {
  if (isSeq(value)) {
    const items = value.items.map((item) => ({ node: item as Node, written: scalarText(item as Node) }));
    // An empty list is none, which differs from a key that is left out.
    if (items.length === 0 && off !== undefined) return [{ node: value, written: "false" }];
    if (kind.shape === "span") return [{ node: value, written: items.map(({ written }) => written).join("..") }];
    return kind.shape === "one" ? undefined : items;
  }
  if (!isMap(value)) return [{ node: value, written: scalarText(value) }];
  if (kind.shape === "document") return [{ node: value, written: JSON.stringify(value.toJSON()) }];
  if (kind.shape !== "map") return undefined;
  return value.items.map((pair) => {
    const { key, value: set } = nodes(pair);
    return { node: key, written: `${String(key)}=${scalarText(set)}` };
  });
}

/** As written, so that a token of digits keeps its zeros. */
function scalarText(node: Node | null): string {
  return isScalar(node) ? (node.source ?? String(node.value)) : String(node ?? "");
}

function besideConfig(config: string, written: string, file: "path" | "name or path"): string {
  const named = file === "name or path" && isName(written);
  return named || isAbsolute(written) || written.trim() === "" ? written : join(dirname(config), written);
}

/** The JSON Schema of config files: their settings, each with its description and default. */
export function configSchema(): object {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "offering-sandbox config file",
    type: "object",
    additionalProperties: false,
    properties: {
      $schema: { type: "string" },
      ...Object.fromEntries(Array.from(table, ([flag, { setting }]) => [flag, property(setting)])),
    },
  };
}

function property({ kind, words, off, defaultInWords, default: value }: Setting): object {
  const description = defaultInWords === undefined ? words : `${words} [default: ${defaultInWords}]`;
  const none = off !== undefined && kind !== onOrOff;
  const schema =
    kind.shape === "list"
      ? { anyOf: [{ type: "string" }, kind.schema, ...(none ? [{ const: false }] : [])] }
      : kind.schema;
  return Object.assign({ description }, schema, { description }, value !== undefined && { default: value });
}
