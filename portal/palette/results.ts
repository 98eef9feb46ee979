import { signal } from "@preact/signals";
import { isUuid } from "../../src/text/text.ts";
import type { InvestmentPage, ScenarioDescription } from "../../src/public/control.ts";
import { investmentName } from "../../src/model/words.ts";
import { shortcuts } from "../base/keys.ts";
import { formatNumber, shortenPath, formatIdentifier } from "../base/format.ts";
import { theme, themes } from "../base/preferences.ts";
import { to, toOffering, toRun, type ViewName, views } from "../base/routes.ts";
import { canEdit } from "../base/token.ts";
import { keyName, offeringName } from "../data/names.ts";
import { environment, journal } from "../data/state.ts";
import { play } from "../shared/play.ts";

/** A page to open, or a command. */
export interface Result {
  readonly name: string;
  readonly detail: string;
  /** The link to the page, or the command. */
  readonly target: Target;
}

type Target = string | (() => void);

/** Results of one kind. */
export interface Group {
  readonly title: string;
  readonly items: readonly Result[];
}

/** A possible result, with further names that are searched but not shown. */
type Candidate = readonly [target: Target, name: string, detail?: string, ...names: (string | number | null)[]];

const maxPerGroup = 5;

/** The investments that the sandbox found, with a link to all of them. */
export function investmentGroup({ data, total }: InvestmentPage, search: string): Group {
  const items = data.map(({ id, number: value, offering_id, status, alias, investors: [first] }) => ({
    target: to("investments", id),
    name: investmentName(value, first?.name),
    detail: [offeringName(offering_id), status, alias, first?.email].filter(Boolean).join(", "),
  }));
  const all = {
    target: to("investments", null, { search }),
    name: `All ${formatNumber(total)} that match`,
    detail: "",
  };
  return { title: "Investments", items: total > items.length ? [...items, all] : items };
}

/** The last results that were chosen, newest first. */
const recentResults = signal<readonly Result[]>([]);

export function recordUse(found: Result): void {
  recentResults.value = [found, ...recentResults.value.filter(({ name }) => name !== found.name)].slice(0, 3);
}

/** The commands that one wants most often. */
const usualCommands = ["Play closing", "A day on", "Undo what you did last"];

/** Options before anything is typed: first the last used and the usual commands, then pages, then other commands. */
function initialKinds(commands: readonly Candidate[]): readonly Kind[] {
  const isThere = (name: string): boolean => commands.some(([, other]) => other === name);
  const last = recentResults.value.filter(({ target, name }) => typeof target === "string" || isThere(name));
  const others = commands.filter(([, name]) => last.every((one) => one.name !== name));
  return [
    ["Last used", last.map(({ target, name, detail }) => [target, name, detail])],
    ["Commands", usualCommands.flatMap((name) => others.filter(([, other]) => other === name))],
    listPages(),
    ["More commands", others.filter(([, name]) => !usualCommands.includes(name))],
  ];
}

/**
 * Finds what the page itself knows or does: the results that contain each word of the text. Commands with a word that
 * begins with the text come first, then the kind of the best match.
 */
export function groupsOnPage(text: string, scenarios: readonly ScenarioDescription[]): Group[] {
  const typed = text.toLowerCase();
  const parts = typed.split(/\s+/);
  const commands = listCommands(scenarios);
  const kinds: readonly Kind[] =
    typed === "" ? initialKinds(commands) : [["Commands", commands], ...listThings(scenarios), listPages()];
  const groups = kinds.map(([title, candidates]) => {
    const ranked = candidates.flatMap(([target, name, detail = "", ...others]) => {
      const names = [name, detail, ...others].map((other) => String(other ?? "").toLowerCase());
      // Nobody knows an id by its middle, and few digits are in many of them.
      const isFound = parts.every((part) =>
        names.some((one) => (isUuid(one) ? one.startsWith(part) : one.includes(part))),
      );
      const isBegun = title === "Commands" && ` ${name.toLowerCase()}`.includes(` ${typed}`);
      const rank = isBegun ? -1 : names.includes(typed) ? 0 : names.some((one) => one.startsWith(typed)) ? 1 : 2;
      return isFound ? [{ rank, target, name, detail }] : [];
    });
    const best = ranked.toSorted((left, right) => left.rank - right.rank);
    return { title, rank: best[0]?.rank ?? 0, items: typed === "" ? best : best.slice(0, maxPerGroup) };
  });
  return typed === "" ? groups : groups.toSorted((left, right) => left.rank - right.rank);
}

type Kind = readonly [title: string, candidates: readonly Candidate[]];

function listPages(): Kind {
  return ["Pages", Object.entries(views).map(([name, label]) => [to(name as ViewName), label])];
}

function listThings(scenarios: readonly ScenarioDescription[]): readonly Kind[] {
  const { offerings = [], keys = [], runs = [] } = environment.data ?? {};
  return [
    ["Offerings", offerings.map(({ id, alias, name }) => [toOffering(id), name, alias ?? "", id])],
    [
      "Keys",
      keys.map(({ id, type, alias, status, offering_id }) => [
        to("keys", id),
        keyName(id),
        `${formatIdentifier(type)}, ${offeringName(offering_id)}, ${status}`,
        id,
        alias,
      ]),
    ],
    [
      "Scenarios",
      scenarios.map(({ name, title, description }) => [to("scenarios", name), title, `${name}: ${description}`, name]),
    ],
    ["Runs", runs.toReversed().map(({ id, title, status }) => [toRun(id), title, `${id}, ${status}`])],
    [
      "Requests",
      journal.value
        .toReversed()
        .map(({ id, method, path, status, code }) => [
          to("journal", String(id)),
          `${status ?? "–"} ${method} ${shortenPath(path)}`,
          `request ${id}`,
          path,
          status,
          id,
          code,
        ]),
    ],
  ];
}

/** Keys that are only useful on the keyboard. */
const keyboardOnly = new Set(["/", "j", "k"]);

/** The commands that the finder runs: for the keys, the clock and the themes, and one to play each scenario. */
function listCommands(scenarios: readonly ScenarioDescription[]): readonly Candidate[] {
  const ofKeys = shortcuts.value
    .filter(({ key }) => !keyboardOnly.has(key))
    .map(({ key, label, detail, run }): Candidate => [
      () => void run(),
      label,
      detail ?? (key === " " ? "Space" : key),
    ]);
  const ofThemes = Object.entries(themes).map(([name, { label }]): Candidate => {
    return [() => (theme.value = name as keyof typeof themes), label, name === theme.value ? "as it is" : ""];
  });
  if (!canEdit.value) return [...ofKeys, ...ofThemes];
  return [
    ...ofKeys,
    ...ofThemes,
    ...scenarios.map(({ name, title }): Candidate => [() => void play(name), `Play ${name}`, title]),
  ];
}
