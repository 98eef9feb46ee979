import { assume, type ProfileName, type Assumptions, parseAssumption } from "../assumptions/catalog.ts";
import { inputLimits } from "../bounds/bounds.ts";
import { expectMembers, type Members, pickDefined, unknownMember } from "../validation/members.ts";
import { formatErrors, ValidationError } from "../validation/errors.ts";
import { didYouMean, describeValue, quoted } from "../text/text.ts";
import type { ValueKind } from "./kinds.ts";
import type { Setting, Settings, Values } from "./settings.ts";

export interface TextValue {
  readonly setting: string;
  readonly text: string;
  /** `--port`, `PORT`, `offering-sandbox.config.yaml:3:7: port`. */
  readonly place: string;
}

/** Reads settings: a later source wins, or adds to a map. Adds a line to `errors` for each unexpected string. */
export function readValues<Table extends Settings>(
  table: Table,
  sources: readonly (readonly TextValue[])[],
  errors: string[],
): Values<Table> {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(table)) {
    let value = setting.default;
    for (const source of sources) {
      const texts = source.filter((candidate) => candidate.setting === name);
      const read = texts.flatMap((text) => readOne(setting.kind, text, errors));
      if (read.length > 0) value = combine(setting, value, read);
    }
    values[name] = value;
  }
  return values as Values<Table>;
}

/** Reads the values of one source. Throws a ValidationError with `errors` and every unexpected string. */
export function readAll<Table extends Settings>(table: Table, texts: readonly TextValue[], errors: string[] = []) {
  const values = readValues(table, [texts], errors);
  if (errors.length > 0) throw new ValidationError(formatErrors(errors));
  return values;
}

function combine({ kind }: Setting, before: unknown, read: readonly unknown[]): unknown {
  if (kind.shape === "map") return Object.assign({}, before, ...read);
  return kind.shape === "list" ? read.flat() : read.at(-1);
}

/** Reads a value. Returns it in a list, which is empty if the string is not expected. */
function readOne<Value>(kind: ValueKind<Value>, { text, place }: TextValue, errors: string[]): Value[] {
  // A number is shown as code has it.
  const display = /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? text : quoted(text);
  const wrong = kind.shape === "document" ? "" : butGot(kind, display);
  const refusal = `expected ${kind.expected}${wrong}.${didYouMean(text, kind.suggestions)}`;
  return attempt(() => kind.read(text), refusal, place, errors);
}

/** Returns the options that have a value. Throws ValidationError like `checkValues`; `label` names them. */
export function checkedOptions<Options extends object>(
  table: Settings,
  options: Options,
  label: Parameters<typeof expectMembers>[1],
): Partial<Options> {
  expectMembers(options, label);
  checkValues(table, options, (name, names) => unknownMember(name, names, label));
  return pickDefined(options);
}

/** Throws ValidationError with every unaccepted value, and every unknown option as `unknown` describes it. */
export function checkValues(table: Settings, options: object, unknown: (name: string, names: string[]) => string) {
  const errors: string[] = [];
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(table, name) ? table[name]?.kind : undefined;
    if (!kind) {
      // The message only counts the later errors, and each suggestion costs time.
      errors.push(errors.length < inputLimits.errors ? unknown(name, Object.keys(table)) : "");
    } else if (value !== undefined) {
      const items: readonly unknown[] = kind.shape === "list" && Array.isArray(value) ? value : [];
      const at = items.findIndex((item) => !kind.accepts([item]));
      const [place, wrong, expected] =
        at === -1 ? [name, value, kind.expectedInCode ?? kind.expected] : [`${name}[${at}]`, items[at], kind.expected];
      // A switch, which has no placeholder, only suggests strings such as `off`; code passes true or false.
      const hint =
        typeof wrong === "string" && kind.placeholder !== undefined ? didYouMean(wrong, kind.suggestions) : "";
      const refusal = `expected ${expected}${butGot(kind, shortValue(wrong))}.${hint}`;
      attempt(() => (kind.accepts(value) ? value : undefined), refusal, place, errors);
    }
  }
  if (errors.length > 0) throw new ValidationError(formatErrors(errors));
}

/** Calls `read`. Returns the value in a list, which is empty if it is undefined or a ValidationError is thrown. */
function attempt<Value>(read: () => Value | undefined, refusal: string, place: string, errors: string[]): Value[] {
  try {
    const value = read();
    if (value !== undefined) return [value];
    errors.push(`${place}: ${refusal}`);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    errors.push(`${place}: ${error.message}`);
  }
  return [];
}

/** Completes options of code, which are checked already, with their defaults. */
export function completeValues<Table extends Settings>(
  table: Table,
  options: { readonly [Name in keyof Table]?: unknown },
): Values<Table> {
  const values = Object.entries(table).map(([name, setting]) => [
    name,
    options[name] ?? setting.defaultInCode ?? setting.default,
  ]);
  return Object.fromEntries(values) as Values<Table>;
}

function butGot({ secret }: ValueKind<unknown>, value: string): string {
  return secret ? "" : `, not ${value}`;
}

/** Formats a value of code or JSON for a message: a short one as it is, any other by its type. */
function shortValue(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.length > 40 ? "a longer string" : describeValue(value);
}

/** Returns the assumptions of a profile with single changes, which are checked already. */
export function readAssumptions(profile: ProfileName, changes: Members = {}): Assumptions {
  const read = Object.entries(changes).map(([id, value]) => parseAssumption(id, value));
  return assume(profile, Object.assign({}, ...read) as Partial<Assumptions>);
}
