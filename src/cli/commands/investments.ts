import type { Environment, InvestmentPage, InvestmentRecord } from "../../control.ts";
import { Mistake } from "../../model/mistakes.ts";
import { quoted } from "../../model/text.ts";
import { type Kind, kindOf } from "../../settings/kinds.ts";
import { investmentFilter } from "../../settings/queries.ts";
import { connectedCommand } from "../connection.ts";
import { table } from "../output/lines.ts";
import { style } from "../output/terminal.ts";
import { columns, indent, joinSections } from "../output/text.ts";

function page({ data, total, next }: InvestmentPage, { offerings }: Environment): string {
  if (data.length === 0) return total === 0 ? "No investments." : "No more investments.";
  const rows = data.map(({ alias, id, offering_id, number, status, step, amount, create_date, investors }) => {
    const [first, ...others] = investors;
    const people = first ? first.name + (others.length > 0 ? ` and ${others.length} more` : "") : "";
    const offering = offerings.find((one) => one.id === offering_id)?.alias ?? offering_id;
    return [
      offering,
      String(number),
      alias ?? id,
      [status, step ?? ""].join(" ").trim(),
      String(amount),
      create_date,
      people,
    ];
  });
  const heading = ["offering", "number", "alias or id", "status", "amount", "created", "investors"];
  const more = next === null ? [] : [style("dim", `${data.length} of ${total}; more with --after ${next}`)];
  return [table(heading, rows), ...more].join("\n");
}

type Part = Readonly<Record<string, string | number | boolean | null>>;

/** One line for each part of an investment, below a title; nothing without parts. */
function section(title: string, parts: unknown, names: readonly string[]): string[] {
  const cell = (part: Part, name: string): string =>
    typeof part[name] === "boolean" ? `${part[name] ? "" : "not "}${name}` : String(part[name] ?? "");
  const lines = columns((parts as readonly Part[]).map((part) => names.map((name) => cell(part, name))));
  return lines.length === 0 ? [] : [style("bold", title), ...indent(lines)];
}

function record({ investors, signing_parties, payments, events, ...attributes }: InvestmentRecord): string {
  const rows = Object.entries(attributes).map(([name, value]) => [name, String(value)]);
  return joinSections(
    [
      columns(rows),
      section("investors", investors, ["first_name", "last_name", "email"]),
      section("signing parties", signing_parties, ["first_name", "last_name", "email", "signed"]),
      section("payments", payments, ["create_date", "amount", "status"]),
      section("events", events, ["create_date", "event", "action"]),
    ].filter((lines) => lines.length > 0),
  );
}

const changeExpected = `a member and its value, such as "amount=5000" or "investors.0.first_name=Ada"`;

/** `investors.0.first_name=Ada`, several times. */
const changeKind: Kind<Readonly<Record<string, string>>> = kindOf(
  "member=value",
  changeExpected,
  (value): value is Readonly<Record<string, string>> => typeof value === "object",
  (written) => {
    const [, path, value = ""] = /^([a-z]\w*(?:\.\d+\.[a-z]\w*)?)=(.*)$/s.exec(written) ?? [];
    return path === undefined ? undefined : { [path]: value };
  },
  { shape: "map" },
);

/** The body that changes an investment as flags say. Parts keep their places in it, as the flags count them. */
function changeOf(investment: InvestmentRecord, changes: Readonly<Record<string, string>>): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [path, text] of Object.entries(changes)) {
    const [name = "", place, member = ""] = path.split(".");
    const held = investment[name];
    if (place === undefined) {
      body[name] = valueOf(text, held);
      continue;
    }
    const parts = Array.isArray(held) ? (held as readonly Part[]) : [];
    const part = parts[Number(place)];
    if (!part) {
      const last = parts.length - 1;
      const has = last < 0 ? `no ${quoted(name)}` : `${name}.0${last > 0 ? ` to ${name}.${last}` : ""}`;
      throw new Mistake(`--set ${path}: the investment has ${has}.`);
    }
    const list = (body[name] ??= parts.map(({ id }) => ({ id }))) as Record<string, unknown>[];
    Object.assign(list[Number(place)] ?? {}, { [member]: valueOf(text, part[member]) });
  }
  return body;
}

/** The value in a text: JSON, or where a text is held or the text is not JSON, the text itself. */
function valueOf(text: string, held: unknown): unknown {
  if (typeof held === "string" && text !== "null") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export const investmentCommands = [
  connectedCommand({
    name: "investments list",
    summary: "Find investments; this counts against no limit.",
    flags: investmentFilter,
    examples: [
      ["investments list --search ada@example.com", "by number, id, alias, name or e-mail"],
      ["investments list --status PENDING --order -create_date --limit 5", "the last five that are pending"],
    ],
    ask: (_, filter) => (environment) => environment.investments.list(filter),
    show: page,
  }),
  connectedCommand({
    name: "investments show",
    summary: "Show the whole of an investment.",
    operand: "alias or id",
    examples: [["investments show at-signers", "attributes, investors, payments, events; nothing redacted"]],
    ask: (reference) => (environment) => environment.investments.get(reference),
    show: record,
  }),
  connectedCommand({
    name: "investments change",
    summary: "Change an investment and its parts now.",
    operand: "alias or id",
    flags: { set: { kind: changeKind, words: "the value of a member from now on; repeatable" } },
    examples: [
      ["investments change at-signers --set amount=5000 --set step=null", "its own attributes"],
      [
        "investments change at-signers --set investors.0.first_name=Ada",
        "its first investor's; likewise payments.0.status",
      ],
    ],
    ask: (reference, { set }) => {
      if (!set) throw new Mistake(`investments change needs --set: ${changeExpected}.`);
      return async ({ investments }) => {
        const investment = await investments.get(reference);
        return investments.change(investment.id, changeOf(investment, set));
      };
    },
    show: record,
  }),
];
