import { type Path, pathText } from "./finding.ts";
import { Mistake } from "./mistakes.ts";

/** Deeper and larger than anything that a command takes. */
const [mostLevels, mostValues] = [200, 50_000_000];

interface CopyOptions {
  /** Names the argument in messages. @default "the argument" */
  readonly whole?: string;
  /**
   * Keeps numbers and functions that JSON cannot hold if they are the argument or its members: the caller checks those, and
   * says what it expects. @default false
   */
  readonly isChecked?: boolean;
  /** Keeps URLs that are members: they name files. @default false */
  readonly hasFiles?: boolean;
}

/**
 * Copies an argument of a public function as JSON has it, so that nothing behind it can act or change later: getters, proxies,
 * prototypes. Undefined stays undefined. Throws Mistake for what JSON cannot hold.
 */
export function plainCopy<Value>(
  given: Value,
  { whole = "the argument", isChecked = false, hasFiles = false }: CopyOptions = {},
): Value {
  let refusal = `${whole} cannot be read; expected plain data.`;
  let values = 0;
  const refuse = (path: Path, message: string): never => {
    refusal = `${pathText(path, whole)} ${message}.`;
    throw new Mistake(refusal);
  };
  const copy = (value: unknown, path: Path): unknown => {
    if (++values > mostValues) refuse([], "has too many values");
    const isKept = isChecked && path.length <= 1;
    if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function") {
      return isKept ? value : refuse(path, `is a ${typeof value}, which JSON cannot hold`);
    }
    if (typeof value === "number") {
      return isKept || Number.isFinite(value) ? value : refuse(path, `is ${value}, which JSON cannot hold`);
    }
    if (typeof value !== "object" || value === null) return value;
    if (hasFiles && path.length === 1 && value instanceof URL) return value;
    if (path.length > mostLevels) refuse(path.slice(0, 3), "is nested too deeply, or contains itself");
    if (Array.isArray(value)) return Array.from(value, (item, index) => copy(item ?? null, [...path, index]));
    if ("toJSON" in value && typeof value.toJSON === "function") return copy(value.toJSON(), [...path, "toJSON()"]);
    if (Symbol.iterator in value || "then" in value) refuse(path, "is an object that JSON cannot hold");
    const members = Object.keys(value).map((name) => [name, Reflect.get(value, name)] as const);
    const stated = members.filter(([, member]) => member !== undefined);
    const copied = Object.fromEntries(stated.map(([name, member]) => [name, copy(member, [...path, name])]));
    // Marks of our own, such as that of a remote caller, stay with the argument.
    const marks = path.length === 0 ? Object.getOwnPropertySymbols(value) : [];
    return Object.assign(copied, Object.fromEntries(marks.map((mark) => [mark, Reflect.get(value, mark) === true])));
  };
  try {
    return copy(given, []) as Value;
  } catch {
    // Not the error itself, which may be hostile too.
    throw new Mistake(refusal);
  }
}

/** An id as a command was given it; of what is no text, one that nothing has. */
export function idOf(given: unknown): string {
  return typeof given === "string" ? given : "(no text)";
}
