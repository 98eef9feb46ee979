import { median } from "../statistics.js";
import { figure } from "../table.js";

/** The measurements: one entry for each round, server, work and size. */
export class Figures {
  #entries = [];

  add(entry) {
    this.#entries.push(entry);
  }

  /** The values of a member in all entries that match `filter` and have it. */
  values(filter, member) {
    return this.#of(filter)
      .map((entry) => entry[member])
      .filter((value) => value !== undefined);
  }

  /** The ratio of one server to another: the median over all rounds with both, empty without one. */
  ratio(filter, member, { over, to }) {
    const ratios = [];
    for (const { round, [member]: value } of this.#of({ ...filter, server: over })) {
      const [baseline] = this.values({ ...filter, server: to, round }, member);
      if (value !== undefined && baseline !== undefined) ratios.push(value / baseline);
    }
    return ratios.length > 0 ? figure(median(ratios)) : "";
  }

  #of(filter) {
    return this.#entries.filter((entry) => Object.entries(filter).every(([name, value]) => entry[name] === value));
  }
}
