/** How many requests each fault has met. */
export class FaultUses {
  readonly #uses: Map<string, number>;

  constructor(uses: Readonly<Record<string, number>> = {}) {
    this.#uses = new Map(Object.entries(uses));
  }

  get(faultId: string): number {
    return this.#uses.get(faultId) ?? 0;
  }

  count(faultId: string): void {
    this.#uses.set(faultId, this.get(faultId) + 1);
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries(this.#uses);
  }
}
