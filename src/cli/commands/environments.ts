import type { EnvironmentSummary, OpenedDescription } from "../../control.ts";
import { environmentSettings } from "../../settings/environment-settings.ts";
import { snapshotFile } from "../../settings/source-kinds.ts";
import { connectedCommand, placeIn } from "../connection.ts";
import { table } from "../output/lines.ts";
import { clockReading, columns } from "../output/text.ts";
import { keyTable } from "./keys.ts";

function environmentTable(environments: readonly EnvironmentSummary[]): string {
  const rows = environments.map(({ id, fixture, clock, label }) => [id, fixture, clockReading(clock), label ?? ""]);
  return table(["id", "fixture", "clock", "label"], rows);
}

const { label, fixture, snapshot, clock, speed, scenarios, rateLimit, ttlSeconds } = environmentSettings;

const openFlags = {
  fixture: { ...fixture, words: "the server's fixture, or a shipped one" },
  snapshot: { ...snapshot, kind: snapshotFile, words: "file with a snapshot to begin from" },
  scenarios: { ...scenarios, flag: "scenario", words: "scenario to play at once; repeatable" },
  clock: { ...clock, words: "instant to start at, now, or fixture for the fixture's own" },
  speed: { ...speed, words: "clock speed: 0 frozen, 1 real time" },
  rateLimit: { ...rateLimit, words: "requests per minute and key; 0 is off" },
  ttlSeconds: { ...ttlSeconds, words: "seconds without a request after which it is closed" },
  label: { ...label, words: "a name for people" },
} as const;

function environmentBlock({ id, base_url: url, keys, offerings, ...access }: OpenedDescription): string {
  const { portal_link: portal, admin_token: token, view_link: view } = access;
  return [
    ...columns([
      ["environment", id],
      ["base address", url],
      ...(portal === null ? [] : [["portal", portal]]),
      ...(view === undefined ? [] : [["only to look", view]]),
      ...(token === undefined ? [] : [["admin token", token]]),
    ]),
    "",
    keyTable(keys, offerings),
  ].join("\n");
}

export const environmentCommands = [
  connectedCommand({
    name: "reset",
    summary: "Reset an environment to its initial state.",
    examples: [["reset", "timeline, clock, limits, faults, journal and keys"]],
    ask: () => (environment) => environment.reset(),
    show: async (_, sandbox) => `Environment "${sandbox.id}" was reset at ${sandbox.url}${await placeIn(sandbox)}.`,
  }),
  connectedCommand({
    name: "environments list",
    summary: "List the open environments.",
    examples: [["environments list", "each with its fixture and its clock"]],
    ask: () => (sandbox) => sandbox.environmentSummaries(),
    show: environmentTable,
  }),
  connectedCommand({
    name: "environments open",
    summary: "Open an environment with keys and a clock of its own.",
    operand: "[id]",
    flags: openFlags,
    examples: [
      ["environments open mine", "its keys are printed; other commands take --environment mine"],
      ["environments open --fixture minimal --scenario closing", "with other data, and a scenario"],
      ["environments open mine --snapshot state.json", "as the snapshot was, with keys of its own"],
    ],
    ask: (id, options) => async (sandbox) => {
      const opened = await sandbox.openEnvironment({ ...options, id });
      const { portalLink: portal_link, adminToken: admin_token, viewLink: view_link } = opened;
      return { ...(await opened.describe()), portal_link, admin_token, view_link };
    },
    show: environmentBlock,
  }),
  connectedCommand({
    name: "environments close",
    summary: "Close an environment; its keys get a 401 from then on.",
    operand: "id",
    examples: [["environments close mine", "the environment default stays"]],
    ask: (id) => async (sandbox) => (await sandbox.environment(id)).close(),
    show: () => "Closed.",
  }),
];
