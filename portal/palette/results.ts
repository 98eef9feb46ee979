import { signal } from "@preact/signals";
import { isUuid } from "../../src/text/text.ts";
import type { InvestmentPage, ScenarioDescription } from "../../src/public/control.ts";
import { investmentName } from "../../src/model/summaries.ts";
import { shortcuts } from "../base/keys.ts";
import { formatNumber, shortenPath, formatIdentifier } from "../base/format.ts";
import { theme, themes } from "../base/preferences.ts";
import { to, toOffering, toRun, type ViewName, views } from "../base/routes.ts";
import { canEdit } from "../base/token.ts";
import { keyName, offeringName } from "../data/names.ts";
import { environment, journal } from "../data/state.ts";
import { playScenario } from "../shared/play-scenario.ts";

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

/** Returns the investments that the sandbox found, with a link to all of them. */
export function investmentGroup({ data, total }: InvestmentPage, search: string): Group {
  const items = data.map(({ id, number: value, offering_id, status, alias, investors: [first] }) => ({
    target: to("investments", id),
    name: investmentName(value, first?.name),
    detail: [offeringName(offering_id), status, alias, first?.email].filter(Boolean).join(", "),
  }));
  const allMatches = {
    target: to("investments", null, { search }),
    name: `Show all ${formatNumber(total)} matches`,
    detail: "",
  };
  return { title: "Investments", items: total > items.length ? [...items, allMatches] : items };
}

/** The last chosen results, newest first. */
const recentResults = signal<readonly Result[]>([]);

export function recordUse(found: Result): void {
  recentResults.value = [found, ...recentResults.value.filter(({ name }) => name !== found.name)].slice(0, 3);
}

/** The most frequent commands. */
const usualCommands = ["Play closing", "Advance 1 day", "Undo"];

/** Returns the options before anything is typed: recent results, usual commands, pages, and other commands. */
function initialKinds(commands: readonly Candidate[]): readonly Kind[] {
  const commandNames = new Set(commands.map(([, name]) => name));
  const recent = recentResults.value.filter(({ target, name }) => typeof target === "string" || commandNames.has(name));
  const otherCommands = commands.filter(([, name]) => recent.every((result) => result.name !== name));
  return [
    ["Recent", recent.map(({ target, name, detail }) => [target, name, detail])],
    ["Commands", usualCommands.flatMap((usual) => otherCommands.filter(([, name]) => name === usual))],
    listPages(),
    ["More commands", otherCommands.filter(([, name]) => !usualCommands.includes(name))],
  ];
}

/**
 * Finds what the page itself knows or does: the results that contain each word of the text. Commands with a word that
 * begins with the text come first, then the kind of the best match.
 */
export function groupsOnPage(text: string, scenarios: readonly ScenarioDescription[]): Group[] {
  const typed = text.toLowerCase();
  const words = typed.split(/\s+/);
  const commands = listCommands(scenarios);
  const kinds: readonly Kind[] =
    typed === "" ? initialKinds(commands) : [["Commands", commands], ...listThings(scenarios), listPages()];
  const groups = kinds.map(([title, candidates]) => {
    const ranked = candidates.flatMap(([target, name, detail = "", ...furtherNames]) => {
      const names = [name, detail, ...furtherNames].map((item) => String(item ?? "").toLowerCase());
      // An id matches only from its beginning: few digits are in the middle of many ids.
      const isFound = words.every((word) =>
        names.some((item) => (isUuid(item) ? item.startsWith(word) : item.includes(word))),
      );
      const isCommandWord = title === "Commands" && ` ${name.toLowerCase()}`.includes(` ${typed}`);
      const rank = isCommandWord ? -1 : rankOf(names, typed);
      return isFound ? [{ rank, target, name, detail }] : [];
    });
    const sorted = ranked.toSorted((left, right) => left.rank - right.rank);
    return { title, rank: sorted[0]?.rank ?? 0, items: typed === "" ? sorted : sorted.slice(0, maxPerGroup) };
  });
  return typed === "" ? groups : groups.toSorted((left, right) => left.rank - right.rank);
}

/** Returns 0 for an equal name, 1 for a name that begins with the text, 2 for any other match. */
function rankOf(names: readonly string[], typed: string): number {
  if (names.includes(typed)) return 0;
  return names.some((name) => name.startsWith(typed)) ? 1 : 2;
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
      scenarios.map(({ name, title, description }) => [
        to("scenarios", name),
        title,
        title === name ? description : `${name}: ${description}`,
        name,
      ]),
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

/** Lists the commands of the palette: those of the keys, the clock and the themes, and one to play each scenario. */
function listCommands(scenarios: readonly ScenarioDescription[]): readonly Candidate[] {
  const keyCommands = shortcuts.value
    .filter(({ key }) => !keyboardOnly.has(key))
    .map(({ key, label, detail, run }): Candidate => [
      () => void run(),
      label,
      detail ?? (key === " " ? "Space" : key),
    ]);
  const themeCommands = Object.entries(themes).map(([name, { label }]): Candidate => {
    return [() => (theme.value = name as keyof typeof themes), label, name === theme.value ? "current" : ""];
  });
  const playable = canEdit.value ? scenarios : [];
  return [
    ...keyCommands,
    ...themeCommands,
    ...playable.map(({ name, title }): Candidate => [
      () => void playScenario(name),
      `Play ${name}`,
      title === name ? "" : title,
    ]),
  ];
}
