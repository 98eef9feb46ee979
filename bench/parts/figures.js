import { median } from "../statistics.js";
import { figure } from "../table.js";

/** The measurements: an entry for each round, server, work and size. */
export class Figures {
  #entries = [];

  add(entry) {
    this.#entries.push(entry);
  }

  /** One member of the entries that have all the members of `filter`, of those that have it. */
  values(filter, member) {
    return this.#of(filter)
      .map((entry) => entry[member])
      .filter((value) => value !== undefined);
  }

  /** One server beside another, as the median of the ratios within each round; empty without a round of both. */
  ratio(filter, member, { over, to }) {
    const ratios = [];
    for (const { round, [member]: value } of this.#of({ ...filter, server: over })) {
      const [other] = this.values({ ...filter, server: to, round }, member);
      if (value !== undefined && other !== undefined) ratios.push(value / other);
    }
    return ratios.length > 0 ? figure(median(ratios)) : "";
  }

  #of(filter) {
    return this.#entries.filter((entry) => Object.entries(filter).every(([name, value]) => entry[name] === value));
  }
}
