import { Mistake } from "../../model/mistake.ts";
import { didYouMean } from "../../model/nearest.ts";
import type { Kind } from "./kind.ts";
import type { Given, Setting, Settings, Values } from "./setting.ts";

/**
 * The values of settings, of what was given from several sides: a later side wins over an earlier one, and adds to it
 * where the setting is a map. Adds a line to `mistakes` for each text that is not as expected.
 */
export function readValues<Table extends Settings>(
  table: Table,
  sides: readonly (readonly Given[])[],
  mistakes: string[],
): Values<Table> {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(table)) {
    let value = setting.default;
    for (const side of sides) {
      const given = side.filter((candidate) => candidate.setting === name);
      const read = given.flatMap((one) => readOne(setting, one, mistakes));
      if (read.length > 0) value = combine(setting, value, read);
    }
    values[name] = value;
  }
  return values as Values<Table>;
}

/** The values of a command's own flags. Throws a Mistake that names every text that is not as expected. */
export function flagValues<Table extends Settings>(table: Table, given: readonly Given[]): Values<Table> {
  const mistakes: string[] = [];
  const values = readValues(table, [given], mistakes);
  if (mistakes.length > 0) throw new Mistake(mistakes.join("\n"));
  return values;
}

/** The value of what stands behind a command's name. Throws a Mistake when it is not as expected. */
export function operandValue<Value>(kind: Kind<Value>, text: string, place: string): Value {
  return flagValues({ operand: { kind, describe: "" } }, [{ setting: "operand", text, place }]).operand as Value;
}

function combine({ kind }: Setting, before: unknown, read: readonly unknown[]): unknown {
  if (kind.shape === "map") return Object.assign({}, before, ...read);
  return kind.shape === "list" ? read.flat() : read.at(-1);
}

/** The value in a list, which is empty when the text is a mistake. */
function readOne({ kind }: Setting, { text, place }: Given, mistakes: string[]): unknown[] {
  try {
    const value = kind.read(text);
    if (value !== undefined) return [value];
    mistakes.push(`${place}: expected ${kind.expected}, not "${text}".${didYouMean(text, kind.words)}`);
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    mistakes.push(`${place}: ${error.message}`);
  }
  return [];
}
