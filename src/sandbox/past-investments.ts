import type { Environment } from "../environment/environment.ts";
import type { Dataset } from "../fixture/dataset.ts";
import type { Change } from "../model/change.ts";
import { prefixLength } from "../model/order.ts";
import type { Investment } from "../model/resources.ts";
import type { JournalEntry } from "../requests.ts";
import { amended } from "../scenario/amend.ts";

/** An investment after so many of its changes. */
interface Stage {
  readonly count: number;
  readonly investment: Investment | undefined;
}

/** The investments of an environment as they were at the requests of its journal, without their events. */
export class PastInvestments {
  readonly #dataset: Dataset;
  /** By the ids of the investments that were asked for; in the order of the timeline. */
  readonly #changes: ReadonlyMap<string, Change[]>;
  readonly #stages = new Map<string, Stage>();

  constructor({ stores: { history } }: Environment, entries: readonly JournalEntry[]) {
    this.#dataset = history.dataset;
    this.#changes = new Map(entries.flatMap(({ investment_id: id }) => (id === null ? [] : [[id, []]])));
    if (this.#changes.size === 0) return;
    for (const change of history.timeline.changes) this.#changes.get(subjectOf(change) ?? "")?.push(change);
  }

  /** The investment in the path of an entry, as its answer knew it. */
  at({ investment_id: id, as_of, date }: JournalEntry): Investment | undefined {
    if (id === null) return undefined;
    const all = this.#changes.get(id) ?? [];
    const until = prefixLength(all, (change) => change.date <= date);
    const isKnown = ({ sequence }: Change): boolean => sequence < as_of;
    let count = all.findIndex((change, index) => index >= until || !isKnown(change));
    if (count === -1) count = until;
    let stage = this.#stages.get(id);
    if (!stage || stage.count > count) stage = { count: 0, investment: this.#dataset.investment(id) };
    stage = { count, investment: all.slice(stage.count, count).reduce(withChange, stage.investment) };
    this.#stages.set(id, stage);
    // Changes may have been put between others since.
    return all.slice(count, until).filter(isKnown).reduce(withChange, stage.investment);
  }
}

/** The id of the investment that a change makes or changes. */
function subjectOf(change: Change): string | undefined {
  if (change.kind === "new_investment") return change.investment.id;
  return "investment_id" in change && change.kind !== "event" ? change.investment_id : undefined;
}

function withChange(investment: Investment | undefined, change: Change): Investment | undefined {
  if (change.kind === "new_investment") return change.investment;
  return investment && "investment_id" in change ? amended(investment, change) : investment;
}
