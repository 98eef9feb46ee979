import { randomBytes } from "node:crypto";
import { Mistake } from "../model/mistakes.ts";
import { stableRank } from "../model/order.ts";
import { didYouMean, quoted } from "../model/text.ts";
import { version } from "../package.ts";
import { type AssumptionId, type Assumptions, catalogue } from "./catalogue.ts";
import { coveringRuns } from "./cover.ts";
import type { Row } from "./row.ts";

type Value = string | number;

/** A row with the values among which it varies, two or more. */
interface VariedRow {
  readonly id: AssumptionId;
  readonly values: readonly Value[];
  /** Varies only where it is named. */
  readonly byName: boolean;
}

const rows: readonly (Row & { readonly id: AssumptionId })[] = catalogue;

export const variedRows: readonly VariedRow[] = rows
  .map(({ id, values, vary }) => ({
    id,
    values: typeof vary === "object" ? vary : Object.keys(values),
    byName: vary === "by name",
  }))
  .filter(({ values }) => values.length > 1);

/** Seeds mean something to one catalogue only: two letters or digits for the values of this one. */
const checksum = (stableRank(0, JSON.stringify(variedRows)) % 36 ** 2).toString(36).padStart(2, "0");

/** The draws of an environment. */
export interface Variation {
  /** As `readSeed` returns it. */
  readonly seed: string;
  readonly label: string;
  /** The rows to vary. @default all that do not need to be named */
  readonly rows?: readonly string[] | undefined;
  /** The rows that may differ after all; `bisect` narrows them down. @default all */
  readonly only?: readonly string[] | undefined;
  /** The rows to keep. */
  readonly pinned: ReadonlySet<string>;
}

/** A variation that took place: the drawn values that differ from what they would be otherwise. */
export interface VariedValues {
  readonly seed: string;
  readonly values: Partial<Assumptions>;
}

let ofProcess: string | undefined;

/** A seed by chance, one for the process: its servers have it in common, also after a reload. */
export function ownSeed(): string {
  ofProcess ??= `${randomBytes(4).toString("hex")}.${checksum}`;
  return ofProcess;
}

/** Returns a seed in full, as `7f3a91c2.k4`; undefined for a text of another form. Throws Mistake for one of another catalogue. */
export function readSeed(text: string): string | undefined {
  const [, digits, of = checksum] = /^([\da-f]{8}|cover\d{3})(?:\.([\da-z]{2}))?$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  if (of === checksum) return `${digits}.${of}`;
  throw new Mistake(
    `The seed ${text} is of a version with other assumptions: use the one that printed it. Seeds of ${version} end in .${checksum}.`,
  );
}

/** Throws Mistake if a row does not exist, or has one value alone. */
export function expectVariable(id: string): void {
  if (variedRows.some((row) => row.id === id)) return;
  if (rows.some((row) => row.id === id)) throw new Mistake(`${id} cannot vary: it has one value.`);
  const ids = variedRows.map((row) => row.id);
  throw new Mistake(`There is no assumption ${quoted(id)}.${didYouMean(id, ids)}`);
}

/** Throws Mistake for a row that is to vary, and is set. */
export function refuseSetRows(varyRows: readonly string[] = [], assumptions: object = {}): void {
  const both = varyRows.find((id) => Object.hasOwn(assumptions, id));
  if (both !== undefined) throw new Mistake(`${both} is set and in varyRows: leave out one of the two.`);
}

const chosen = new Map<string, readonly VariedRow[]>();

function rowsNamed(named: readonly string[] | undefined): readonly VariedRow[] {
  const key = named?.join() ?? "";
  const found = chosen.get(key) ?? variedRows.filter(({ id, byName }) => (named ? named.includes(id) : !byName));
  chosen.set(key, found);
  return found;
}

/** Seeds under which each pair of values occurs, whatever the label, with the value of each row: `cover001.k4`. */
export function coverSeeds(
  named: readonly string[] | undefined,
): readonly { readonly seed: string; readonly values: ReadonlyMap<AssumptionId, Value> }[] {
  const varying = rowsNamed(named);
  return coveringRuns(varying).map((run, at) => ({
    seed: `cover${String(at).padStart(3, "0")}.${checksum}`,
    values: new Map(varying.map(({ id, values }, row) => [id, values[run[row] ?? 0] ?? ""])),
  }));
}

/**
 * Draws about half of the rows, and for each of them a value other than its own; or the values of a run of a cover. Equal
 * input gives equal draws.
 */
export function variedValues(
  own: Assumptions,
  { seed, label, rows: named, only, pinned }: Variation,
): Partial<Assumptions> {
  const rank = (purpose: string): number => stableRank(Number.parseInt(seed, 16), `${purpose} ${label}`);
  const varying = rowsNamed(named);
  const run = seed.startsWith("cover") ? coveringRuns(varying)[Number(seed.slice(5, 8))] : undefined;
  const entries = varying.flatMap(({ id, values }, at) => {
    if (pinned.has(id) || only?.includes(id) === false) return [];
    const others = values.filter((value) => value !== own[id]);
    const value = run ? values[run[at] ?? 0] : rank(`${id}?`) % 2 === 0 ? others[rank(id) % others.length] : own[id];
    return value === own[id] ? [] : [[id, value]];
  });
  return Object.fromEntries(entries);
}
