/** Changes in words: `changeInWords(change)` is `SIGNATURE COMPLETED`, `status CLOSED`, `payment succeeded`. */
import type { ChangeDescription } from "../../src/control.ts";
import { money, words } from "../format.ts";

type Members = Readonly<Record<string, unknown>>;

const written: Readonly<Record<string, (change: ChangeDescription) => string>> = {
  new_investment: ({ investment }) => `new investment of ${value((investment as Members)["amount"])}`,
  investment: ({ attributes }) => membersOf(attributes),
  offering: ({ attributes }) => `offering: ${membersOf(attributes)}`,
  investor: ({ attributes }) => `investor: ${membersOf(attributes)}`,
  signing_party: ({ attributes }) => ((attributes as Members)["signed"] === true ? "signed" : membersOf(attributes)),
  new_payment: ({ payment }) => `payment of ${value((payment as Members)["amount"])}`,
  payment: ({ attributes }) => `payment ${membersOf(attributes, ["status"])}`,
  event: ({ event }) => `${String((event as Members)["event"])} ${String((event as Members)["action"])}`,
  new_key: ({ key }) => `key issued: ${String((key as Members)["label"] ?? (key as Members)["type"])}`,
  key: () => "key revoked",
  new_fault: () => "fault begins",
};

export function changeInWords(change: ChangeDescription): string {
  try {
    return written[change.kind]?.(change) ?? words(change.kind);
  } catch {
    return words(change.kind);
  }
}

/** The investment that a change is of; null if it is of another thing. */
export function investmentIdOf({ kind, investment_id, investment }: ChangeDescription): string | null {
  const id = kind === "new_investment" ? (investment as Members)["id"] : investment_id;
  return typeof id === "string" ? id : null;
}

/** `status CLOSED, step none`; of plain members the value alone. */
function membersOf(attributes: unknown, plain: readonly string[] = []): string {
  return Object.entries(attributes as Members)
    .map(([name, given]) => (plain.includes(name) ? value(given) : `${words(name)} ${value(given)}`))
    .join(", ");
}

function value(given: unknown): string {
  if (given === null) return "none";
  return typeof given === "number" ? money(given) : typeof given === "string" ? given : JSON.stringify(given);
}
