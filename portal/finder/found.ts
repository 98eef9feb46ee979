import { isUuid } from "../../src/model/text.ts";
import type { InvestmentPage, ScenarioDescription } from "../../src/control.ts";
import { acts } from "./acts.ts";
import { number, shortPath, words } from "../format.ts";
import { to, toOffering, toRun, type ViewName, views } from "../routes.ts";
import { investmentName, keyName, offeringName } from "../server/names.ts";
import { environment, journal } from "../server/state.ts";

/** A thing to go to, or a command. */
export interface Found {
  readonly name: string;
  readonly detail: string;
  /** The link to the thing, or the command itself. */
  readonly target: Target;
}

type Target = string | (() => void);

/** Things of one kind. */
export interface Group {
  readonly title: string;
  readonly items: readonly Found[];
}

/** A thing with its further names, which are not shown. */
type Candidate = readonly [target: Target, name: string, detail?: string, ...names: (string | number | null)[]];

const perGroup = 5;

/** The id of the key whose secret is in a text; null for what may be the secret of another; undefined for any other text. */
export function keyIn(text: string): string | null | undefined {
  const key = environment.data?.keys.find((one) => text.includes(one.key));
  return key?.id ?? (/sandbox_\w+_/i.test(text) ? null : undefined);
}

/** The investments that the sandbox has found, and the way to all of them. */
export function investmentGroup({ data, total }: InvestmentPage, search: string): Group {
  const items = data.map(({ id, number: value, offering_id, status, alias, investors: [first] }) => ({
    target: to("investments", id),
    name: investmentName(value, first?.name),
    detail: [offeringName(offering_id), status, alias, first?.email].filter(Boolean).join(", "),
  }));
  const all = { target: to("investments", null, { search }), name: `All ${number(total)} that match`, detail: "" };
  return { title: "Investments", items: total > items.length ? [...items, all] : items };
}

/** Everything that the page knows or does itself and in which each word of a text occurs; the best named first, and its kind. Without a text, the pages and the commands. */
export function groupsOnPage(text: string, scenarios: readonly ScenarioDescription[]): Group[] {
  const typed = text.toLowerCase();
  const parts = typed.split(/\s+/);
  const commands: Kind = ["Commands", acts(scenarios)];
  const kinds = typed === "" ? [pages(), commands] : [...things(scenarios), commands, pages()];
  const groups = kinds.map(([title, candidates]) => {
    const ranked = candidates.flatMap(([target, name, detail = "", ...others]) => {
      const names = [name, detail, ...others].map((one) => String(one ?? "").toLowerCase());
      // Nobody knows an id by its middle, and few digits are in many of them.
      const isFound = parts.every((part) =>
        names.some((one) => (isUuid(one) ? one.startsWith(part) : one.includes(part))),
      );
      const rank = names.includes(typed) ? 0 : names.some((one) => one.startsWith(typed)) ? 1 : 2;
      return isFound ? [{ rank, target, name, detail }] : [];
    });
    const best = ranked.toSorted((one, other) => one.rank - other.rank);
    return { title, rank: best[0]?.rank ?? 0, items: typed === "" ? best : best.slice(0, perGroup) };
  });
  return typed === "" ? groups : groups.toSorted((one, other) => one.rank - other.rank);
}

type Kind = readonly [title: string, candidates: readonly Candidate[]];

function pages(): Kind {
  return ["Pages", Object.entries(views).map(([name, label]) => [to(name as ViewName), label])];
}

function things(scenarios: readonly ScenarioDescription[]): readonly Kind[] {
  const { offerings = [], keys = [], runs = [] } = environment.data ?? {};
  return [
    ["Offerings", offerings.map(({ id, alias, name }) => [toOffering(id), name, alias ?? "", id])],
    [
      "Keys",
      keys.map(({ id, type, alias, status, offering_id }) => [
        to("keys", id),
        keyName(id),
        `${words(type)}, ${offeringName(offering_id)}, ${status}`,
        id,
        alias,
      ]),
    ],
    ["Scenarios", scenarios.map(({ name, description }) => [to("scenarios", name), name, description])],
    ["Runs", runs.toReversed().map(({ id, scenario, status }) => [toRun(id), id, `${scenario}, ${status}`])],
    [
      "Requests",
      journal.value
        .toReversed()
        .map(({ id, method, path, status, code }) => [
          to("journal", String(id)),
          `${status ?? "–"} ${method} ${shortPath(path)}`,
          `request ${id}`,
          path,
          status,
          id,
          code,
        ]),
    ],
  ];
}
