import type { Shape } from "../answers/shape.ts";
import type { ProbeId } from "../service/probes.ts";

/** The shapes of all answers so far. */
export class Seen {
  /** A 429 that was waited out. */
  limited: Shape | undefined;
  readonly #answers: { readonly id: ProbeId; readonly shape: Shape }[] = [];
  #settled = 0;
  #settledLimited: Shape | undefined;

  add(id: ProbeId, shape: Shape): void {
    this.#answers.push({ id, shape });
  }

  /** How many shapes came since `settle`. */
  get unsettled(): number {
    return this.#answers.length - this.#settled;
  }

  /** Keeps all shapes so far, whatever comes. */
  settle(): void {
    this.#settled = this.#answers.length;
    this.#settledLimited = this.limited;
  }

  /** Forgets all shapes since `settle`. */
  forget(): void {
    this.#answers.length = this.#settled;
    this.limited = this.#settledLimited;
  }

  forgetAll(): void {
    this.#answers.length = this.#settled = 0;
    this.limited = undefined;
  }

  all(id: ProbeId): readonly Shape[] {
    return this.#answers.flatMap((answer) => (answer.id === id ? answer.shape : []));
  }

  /** The first answer; undefined if none came. */
  one(id: ProbeId): Shape | undefined {
    return this.all(id)[0];
  }

  /** The first answers to these requests. */
  each(...ids: readonly ProbeId[]): readonly Shape[] {
    return ids.flatMap((id) => this.one(id) ?? []);
  }
}

/** `404, 404 and 401` */
export function statusesOf(shapes: readonly { readonly status: number }[]): string {
  const statuses = shapes.map(({ status }) => String(status));
  return statuses.length < 2 ? statuses.join("") : `${statuses.slice(0, -1).join(", ")} and ${statuses.at(-1)}`;
}

export function isRefusal({ status }: Shape): boolean {
  return status >= 400 && status < 500 && ![401, 403, 429].includes(status);
}
