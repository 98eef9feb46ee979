/** The values of the latest names: it holds so many, and forgets the one whose value is the oldest. */
export class Recent<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most = 500) {
    this.#most = most;
  }

  get(name: string): Value | undefined {
    return this.#values.get(name);
  }

  set(name: string, value: Value): void {
    this.#values.delete(name);
    this.#values.set(name, value);
    if (this.#values.size <= this.#most) return;
    const [oldest = name] = this.#values.keys();
    this.#values.delete(oldest);
  }

  delete(name: string): void {
    this.#values.delete(name);
  }

  values(): Iterable<Value> {
    return this.#values.values();
  }
}
