import type { AdminConnection } from "../../client/connection.ts";
import type { InvestmentPage, InvestmentRecord } from "../../public/control.ts";
import { parseExactJson } from "../../text/json-text.ts";
import type { Members } from "../../validation/members.ts";
import { ValidationError } from "../../validation/errors.ts";
import { quoted } from "../../text/text.ts";
import { operationCommand, pairs } from "../operation-command.ts";
import { columns, indent, joinSections, table } from "../output/text.ts";
import { style } from "../output/terminal.ts";

async function page({ data, total, next }: InvestmentPage, sandbox: AdminConnection): Promise<string> {
  if (data.length === 0) return total === 0 ? "No investments." : "No more investments.";
  const { offerings } = await sandbox.call("getEnvironment");
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

type Pairs = Readonly<Record<string, string>>;

type Part = Readonly<Record<string, string | number | boolean | null>>;

/** A title and a line for each part of an investment; empty if there are no parts. */
function partLines(title: string, parts: unknown, names: readonly string[]): string[] {
  const cell = (part: Part, name: string): string =>
    typeof part[name] === "boolean" ? `${part[name] ? "" : "not "}${name}` : String(part[name] ?? "");
  const lines = columns((parts as readonly Part[]).map((part) => names.map((name) => cell(part, name))));
  return lines.length === 0 ? [] : [style("bold", title), ...indent(lines)];
}

function recordLines({ investors, signing_parties, payments, events, ...attributes }: InvestmentRecord): string {
  const rows = Object.entries(attributes).map(([name, value]) => [name, String(value)]);
  return joinSections(
    [
      columns(rows),
      partLines("investors", investors, ["first_name", "last_name", "email"]),
      partLines("signing parties", signing_parties, ["first_name", "last_name", "email", "signed"]),
      partLines("payments", payments, ["create_date", "amount", "status"]),
      partLines("events", events, ["create_date", "event", "action"]),
    ].filter((lines) => lines.length > 0),
  );
}

const changeExpected = `a member and its value, such as "amount=5000" or "investors.0.first_name=Ada"`;

const changeKind = pairs("member=value", changeExpected, /^([a-z]\w*(?:\.\d+\.[a-z]\w*)?)=(.*)$/s);

/** The body for the changes that the flags name. Its lists keep every part in its place, since flags count them. */
function changeFromFlags(investment: InvestmentRecord, changes: Pairs): Members {
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
      throw new ValidationError(`--set ${path}: the investment has ${has}.`);
    }
    const list = (body[name] ??= parts.map(({ id }) => ({ id }))) as Record<string, unknown>[];
    Object.assign(list[Number(place)] ?? {}, { [member]: valueOf(text, part[member]) });
  }
  return body;
}

/** Reads a text as JSON; it stays a text if the member holds a text, or if it is not JSON. */
function valueOf(text: string, held: unknown): unknown {
  if (typeof held === "string" && text !== "null") return text;
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}

export const investmentCommands = [
  operationCommand("investments list", "listInvestments", {
    examples: [
      ["investments list --search ada@example.com", "by number, id, alias, name or email"],
      ["investments list --status PENDING --order -create_date --limit 5", "the last five that are pending"],
    ],
    render: page,
  }),
  operationCommand("investments show", "getInvestment", {
    operand: "alias or id",
    examples: [["investments show at-signers", "attributes, investors, payments, events; nothing redacted"]],
    render: recordLines,
  }),
  operationCommand("investments create", "createInvestment", {
    examples: [["investments create --offering aurora --amount 5000", "the rest is completed; change has the people"]],
    render: recordLines,
  }),
  operationCommand("investments change", "changeInvestment", {
    operand: "alias or id",
    flags: () => ({ set: { kind: changeKind, help: "the value of a member from now on; repeatable" } }),
    examples: [
      ["investments change at-signers --set amount=5000 --set step=null", "its own attributes"],
      [
        "investments change at-signers --set investors.0.first_name=Ada",
        "its first investor's; likewise payments.0.status",
      ],
    ],
    request: async (sandbox, { set }, reference) => {
      if (set === undefined) throw new ValidationError(`investments change needs --set: ${changeExpected}.`);
      const investment = await sandbox.call("getInvestment", { id: reference });
      const body = changeFromFlags(investment, set as Pairs);
      return sandbox.call("changeInvestment", { id: investment.id, body });
    },
    render: recordLines,
  }),
];
