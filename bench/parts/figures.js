import { median } from "../statistics.js";

/** Everything that was measured, one entry for each round, server, work and size. */
export class Figures {
  #entries = [];

  add(entry) {
    this.#entries.push(entry);
  }

  /** The entries that have all these members. */
  of(wanted) {
    return this.#entries.filter((entry) => Object.entries(wanted).every(([name, value]) => entry[name] === value));
  }

  /** One member of those entries, of those that have it. */
  values(wanted, member) {
    return this.of(wanted)
      .map((entry) => entry[member])
      .filter((value) => value !== undefined);
  }

  /** How one server compares with another: the median of the ratios within each round. */
  ratio(wanted, member, { over, to }) {
    const ratios = [];
    for (const { round, [member]: value } of this.of({ ...wanted, server: over })) {
      const [other] = this.values({ ...wanted, server: to, round }, member);
      if (value !== undefined && other !== undefined) ratios.push(value / other);
    }
    return ratios.length > 0 ? median(ratios) : undefined;
  }
}
