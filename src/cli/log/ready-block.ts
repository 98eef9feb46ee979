import type { EnvironmentDescription, KeyDescription, LocalSandbox } from "../../control.ts";
import { version } from "../../version.ts";
import { clockReading } from "../show/clock-reading.ts";
import { columns } from "./columns.ts";
import type { Started } from "./log.ts";
import { style } from "./style.ts";

/** What a person wants to know of a sandbox that has just started: where it is, what it holds, what to paste. */
export function readyBlock(started: Started): string {
  const { sandbox, environment, terminalKeys } = started;
  const sections = [
    [style("bold", `offering-sandbox ${version}`), ...indented(facts(started))],
    [style("bold", "Offerings"), ...indented(offerings(environment))],
    [style("bold", "Keys"), ...indented(keys(environment))],
    [style("bold", "Try"), ...indented(examples(sandbox))],
  ];
  if (terminalKeys.length > 0) sections.push([style("bold", "Press"), ...indented(columns(terminalKeys))]);
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function facts({ sandbox, environment, settings }: Started): string[] {
  const { fixture, profile, clock, runs } = environment;
  const rows = [
    ["Base address", sandbox.baseUrl],
    ["Admin address", settings.admin ? sandbox.adminUrl : "closed"],
    ["Fixture", fixture],
    ["Profile", profile],
    ["Clock", clockReading(clock)],
  ];
  if (runs.length > 0) rows.push(["Playing", runs.map(({ scenario }) => scenario).join(", ")]);
  if (sandbox.adminToken !== null) rows.splice(2, 0, ["Admin token", sandbox.adminToken]);
  return columns(rows);
}

function offerings(environment: EnvironmentDescription): string[] {
  return columns(
    environment.offerings.map(({ id, name, alias, investments }) => [
      name,
      alias ?? "",
      id,
      investments === 1 ? "1 investment" : `${investments} investments`,
    ]),
  );
}

function keys({ keys: all, offerings: served }: EnvironmentDescription): string[] {
  const nameOf = (key: KeyDescription): string =>
    served.find(({ id }) => id === key.offering_id)?.name ?? key.offering_id;
  return columns(all.map((key) => [key.key, key.label ?? `${nameOf(key)} ${key.type}`, effect(key)]));
}

function effect({ status, type }: KeyDescription): string {
  if (status === "revoked") return "every call is a 401";
  return type === "partner" ? "personal data, no phone numbers" : "personal data redacted, phone numbers";
}

function examples(sandbox: LocalSandbox): string[] {
  return sandbox.examples().flatMap(({ status, title, curl }) => [style("dim", `${status}  ${title}`), `     ${curl}`]);
}
