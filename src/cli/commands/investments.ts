import type { Environment, InvestmentPage, InvestmentRecord } from "../../control.ts";
import { investmentFilter } from "../../settings/investment-filter.ts";
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
];
