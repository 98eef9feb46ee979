import type { EffectKind, Investment, Investor } from "./resources.ts";
import { formatMembers } from "../text/text.ts";

/**
 * Changes and names in words for people: the portal, the terminal and the log use the same ones. Codes of the service
 * become plain letters, `SUBSCRIPTION SUBMITTED` as `Subscription submitted`; only statuses and steps stay codes.
 */

/** A change, or an effect of a scenario, with its summary. */
interface SummarizedChange {
  readonly kind: string;
  readonly summary: string;
  readonly attributes?: unknown;
}

type DatedChange = SummarizedChange & {
  readonly date: string;
  readonly subject_id: string;
  readonly run?: string | null | undefined;
};

/** All changes of one subject at one instant, by one run or by commands. */
export interface ChangeGroup<Change extends DatedChange = DatedChange> {
  readonly date: string;
  readonly subject_id: string;
  readonly changes: readonly Change[];
  /** What happened: `["Payment approved", "CLOSED"]`. */
  readonly summaries: readonly string[];
}

/** Joins changes by instant, subject and run, in order of the first change of each. An upcoming `signed` is `signs`. */
export function groupChanges<Change extends DatedChange>(
  all: readonly Change[],
  areUpcoming = false,
): ChangeGroup<Change>[] {
  const changesByMoment = new Map<string, readonly [Change, ...Change[]]>();
  for (const change of all) {
    const name = `${change.date} ${change.subject_id} ${change.run}`;
    const [first, ...otherChanges] = changesByMoment.get(name) ?? [];
    changesByMoment.set(name, first ? [first, ...otherChanges, change] : [change]);
  }
  return Array.from(changesByMoment.values(), (changes) => {
    const [{ date, subject_id }] = changes;
    const summaries = summarize(changes).map((text) => (areUpcoming ? text.replace(/ signed$/, " signs") : text));
    return { date, subject_id, changes, summaries };
  });
}

/** Summarizes the changes of one step or instant. A payment is not repeated after its event; a lost step is omitted. */
export function summarize(changes: readonly SummarizedChange[]): readonly string[] {
  const all = changes.map(({ summary }) => summary);
  if (all.length === 1) return all;
  const isNew = ({ kind, summary }: SummarizedChange): boolean =>
    kind.endsWith("payment") && / of \S+( pending)?$/.test(summary) && all.includes("Payment submitted");
  const isRepeated = ({ kind, summary }: SummarizedChange): boolean =>
    kind === "payment" && summary.endsWith(" succeeded") && all.includes("Payment approved");
  const states: unknown[] = [];
  const words = changes.flatMap((change) => {
    const { kind, summary, attributes } = change;
    if (isRepeated(change) || (summary === "Payment submitted" && changes.some(isNew))) return [];
    if (isNew(change)) return summary.replace(/( pending)?$/, " submitted");
    if (kind !== "investment") return summary;
    const { status, step, ...rest } = attributes as Readonly<Record<string, unknown>>;
    states.push(status, step);
    return Object.keys(rest).length === 0 ? [] : capitalized(formatMembers(rest));
  });
  const allSummaries = [...words, ...states.filter((state) => typeof state === "string")];
  return allSummaries.length > 0 ? allSummaries : all;
}

/** Whether a kind of change changes an investment's status or payments, or creates it. */
const changesStateByKind: { readonly [Kind in EffectKind]: boolean } = {
  offering: false,
  new_investment: true,
  investment: true,
  investor: false,
  signing_party: false,
  payment: true,
  new_payment: true,
  event: false,
  new_key: false,
  key: false,
  new_fault: false,
};

export function changesState({ kind }: Pick<SummarizedChange, "kind">): boolean {
  return changesStateByKind[kind as EffectKind];
}

/** Formats an event: `Subscription submitted`. */
export function formatEvent({ event, action }: { readonly event: string; readonly action: string }): string {
  return capitalized(`${event} ${action}`.replaceAll("_", " ").toLowerCase());
}

/** Formats a payment: `Payment of 5,000 succeeded`; with a name or number, `Payment wire of 5,000 pending`. */
export function formatPayment(
  { amount, status, ...rest }: { readonly amount?: number | undefined; readonly status?: string | undefined },
  name?: string | number,
): string {
  const words = ["Payment", name, amount === undefined ? undefined : `of ${amount.toLocaleString("en")}`, status];
  return [words.filter((part) => part !== undefined).join(" "), formatMembers(rest)].filter(Boolean).join(", ");
}

/** Names an investment by its number and its first investor, who may have no name: `#147 Candelario Kohler`. */
export function investmentName(number: unknown, person = ""): string {
  return `#${String(number)} ${person}`.trim();
}

/** Names an investment like `investmentName`. */
export function nameOfInvestment({ investment_number: number, investors }: Investment): string {
  return investmentName(number, personName(investors[0] ?? {}));
}

/** Joins a person's names: `Ada King Lovelace`; empty without a name. */
export function personName(person: { first_name?: unknown; middle_name?: unknown; last_name?: unknown }): string {
  const { first_name: first, middle_name: middle, last_name: last } = person;
  return [first, middle, last].filter((part) => typeof part === "string" && part !== "").join(" ");
}

/** Joins names and email addresses, for a search by words, in lower case. */
export function peopleOf(investors: readonly Investor[]): string {
  return investors
    .flatMap((investor) => [personName(investor), investor.email])
    .join("\n")
    .toLowerCase();
}

/** Begins a sentence with a string. An email address stays unchanged. */
export function capitalized(text: string): string {
  return /^\S+@/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
