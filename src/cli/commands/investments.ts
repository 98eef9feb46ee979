import type { AdminConnection } from "../../client/connection.ts";
import type { InvestmentPage, InvestmentRecord } from "../../public/control.ts";
import { parseExactJson } from "../../text/json-text.ts";
import type { Members } from "../../validation/members.ts";
import { ValidationError } from "../../validation/errors.ts";
import { quoted } from "../../text/text.ts";
import { operationCommand, pairsType } from "../operation-command.ts";
import { alignColumns, indent, joinSections, formatTable } from "../output/text.ts";
import { style } from "../output/terminal.ts";

async function formatPage({ data, total, next }: InvestmentPage, sandbox: AdminConnection): Promise<string> {
  if (data.length === 0) return total === 0 ? "No investments." : "No more investments.";
  const { offerings } = await sandbox.call("getEnvironment");
  const rows = data.map(({ alias, id, offering_id, number, status, step, amount, create_date, investors }) => {
    const [first, ...otherInvestors] = investors;
    const people = first ? first.name + (otherInvestors.length > 0 ? ` and ${otherInvestors.length} more` : "") : "";
    const offering = offerings.find((candidate) => candidate.id === offering_id)?.alias ?? offering_id;
    const state = [status, step ?? ""].join(" ").trim();
    return [offering, String(number), alias ?? id, state, String(amount), create_date, people];
  });
  const heading = ["offering", "number", "alias or id", "status", "amount", "created", "investors"];
  const moreLines = next === null ? [] : [style("dim", `${data.length} of ${total}; more with --after ${next}`)];
  return [formatTable(heading, rows), ...moreLines].join("\n");
}

type Pairs = Readonly<Record<string, string>>;

type Child = Readonly<Record<string, string | number | boolean | null>>;

/** Formats a title and a line for each child of an investment; empty without children. */
function formatChildren(title: string, children: unknown, names: readonly string[]): string[] {
  const cell = (child: Child, name: string): string =>
    typeof child[name] === "boolean" ? `${child[name] ? "" : "not "}${name}` : String(child[name] ?? "");
  const lines = alignColumns((children as readonly Child[]).map((child) => names.map((name) => cell(child, name))));
  return lines.length === 0 ? [] : [style("bold", title), ...indent(lines)];
}

function formatRecord({ investors, signing_parties, payments, events, ...attributes }: InvestmentRecord): string {
  const rows = Object.entries(attributes).map(([name, value]) => [name, String(value)]);
  return joinSections(
    [
      alignColumns(rows),
      formatChildren("investors", investors, ["first_name", "last_name", "email"]),
      formatChildren("signing parties", signing_parties, ["first_name", "last_name", "email", "signed"]),
      formatChildren("payments", payments, ["create_date", "amount", "status"]),
      formatChildren("events", events, ["create_date", "event", "action"]),
    ].filter((lines) => lines.length > 0),
  );
}

const expectedChange = `a member and its value, such as "amount=5000" or "investors.0.first_name=Ada"`;

const changeType = pairsType("member=value", expectedChange, /^([a-z]\w*(?:\.\d+\.[a-z]\w*)?)=(.*)$/s);

/** Returns the body for the changes of `--set`. Its lists have every child in order, because flags name their index. */
function changeFromFlags(investment: InvestmentRecord, changes: Pairs): Members {
  const body: Record<string, unknown> = {};
  for (const [path, text] of Object.entries(changes)) {
    const [name = "", index, member = ""] = path.split(".");
    const currentValue = investment[name];
    if (index === undefined) {
      body[name] = parseValue(text, currentValue);
      continue;
    }
    const children = Array.isArray(currentValue) ? (currentValue as readonly Child[]) : [];
    const child = children[Number(index)];
    if (!child) {
      const lastIndex = children.length - 1;
      const existing =
        lastIndex < 0 ? `no ${quoted(name)}` : `${name}.0${lastIndex > 0 ? ` to ${name}.${lastIndex}` : ""}`;
      throw new ValidationError(`--set ${path}: the investment has ${existing}.`);
    }
    const list = (body[name] ??= children.map(({ id }) => ({ id }))) as Record<string, unknown>[];
    Object.assign(list[Number(index)] ?? {}, { [member]: parseValue(text, child[member]) });
  }
  return body;
}

/** Parses a value as JSON. It stays a string if the current value is a string, or if it is not JSON. */
function parseValue(text: string, currentValue: unknown): unknown {
  if (typeof currentValue === "string" && text !== "null") return text;
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
      ["investments list --status PENDING --order -create_date --limit 5", "the five newest that are pending"],
    ],
    render: formatPage,
  }),
  operationCommand("investments show", "getInvestment", {
    operand: "alias or id",
    examples: [["investments show at-signers", "attributes, investors, payments, events; nothing redacted"]],
    render: formatRecord,
  }),
  operationCommand("investments create", "createInvestment", {
    examples: [["investments create --offering aurora --amount 5000", "the sandbox generates the other values"]],
    render: formatRecord,
  }),
  operationCommand("investments change", "changeInvestment", {
    operand: "alias or id",
    flags: () => ({ set: { kind: changeType, help: "new value of a member; repeatable" } }),
    examples: [
      ["investments change at-signers --set amount=5000 --set step=null", "changes its attributes"],
      [
        "investments change at-signers --set investors.0.first_name=Ada",
        "changes its first investor; likewise payments.0.status",
      ],
    ],
    request: async (sandbox, { set }, reference) => {
      if (set === undefined) throw new ValidationError(`investments change needs --set: ${expectedChange}.`);
      const investment = await sandbox.call("getInvestment", { id: reference });
      const body = changeFromFlags(investment, set as Pairs);
      return sandbox.call("changeInvestment", { id: investment.id, body });
    },
    render: formatRecord,
  }),
];
