import type { Kind } from "./kind.ts";

/** One thing that a person can set. From it come the flag, the variable, the key of the config file and their help. */
export interface Setting<Value = unknown> {
  readonly kind: Kind<Value>;
  /** What it is, in help and in the config file's schema. */
  readonly describe: string;
  /** What `--no-…` does, for a switch that is on by default, and for a list of which none is not the default. */
  readonly off?: string;
  readonly short?: string;
  readonly default?: Value;
  /** The default in words, where it is not one value. */
  readonly otherwise?: string;
  /** The heading in help. */
  readonly group?: string;
  /** The value is a file's path, which in a config file is relative to that config file; or a name or a path. */
  readonly file?: "path" | "name or path";
  /** Cannot be set in a config file. */
  readonly notInConfig?: true;
  /** Taken up only when the sandbox starts. */
  readonly atStart?: true;
}

/** Settings by name. */
export type Settings = Readonly<Record<string, Setting>>;

/** The values of settings: those without a default may be undefined. */
export type Values<Table extends Settings> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly kind: Kind<infer Value> }
    ? Table[Name] extends { readonly default: unknown }
      ? Value
      : Value | undefined
    : never;
};

/** One value given to one setting, as the text that it was, and where. */
export interface Given {
  readonly setting: string;
  readonly text: string;
  /** `--port`, `PORT`, `offering-sandbox.config.yaml:3:7: port`. */
  readonly place: string;
}
