import type { Shape } from "../answers/shape.ts";
import type { ProbeId } from "../service/probes.ts";

/** The shapes of all answers so far. */
export class Seen {
  /** A 429 that was waited out. */
  limited: Shape | undefined;
  #shapes: ReadonlyMap<ProbeId, readonly Shape[]> = new Map();
  /** The shapes at the last call of `settle`. */
  #settled = this.#shapes;

  add(id: ProbeId, shape: Shape): void {
    this.#shapes = new Map(this.#shapes).set(id, [...this.all(id), shape]);
  }

  /** Keeps all shapes so far, whatever comes. */
  settle(): void {
    this.#settled = this.#shapes;
  }

  /** Forgets all shapes that came after `settle`. */
  forget(): void {
    this.#shapes = this.#settled;
  }

  all(id: ProbeId): readonly Shape[] {
    return this.#shapes.get(id) ?? [];
  }

  /** The first answer; undefined if none came. */
  one(id: ProbeId): Shape | undefined {
    return this.all(id)[0];
  }

  /** The first answers to these requests that came. */
  each(...ids: readonly ProbeId[]): readonly Shape[] {
    return ids.flatMap((id) => this.one(id) ?? []);
  }
}

/** `404, 404 and 401` */
export function statusesOf(shapes: readonly { readonly status: number }[]): string {
  const statuses = shapes.map(({ status }) => String(status));
  return statuses.length < 2 ? statuses.join("") : `${statuses.slice(0, -1).join(", ")} and ${statuses.at(-1)}`;
}

/** True for a status that refuses a parameter. */
export function isRefusal({ status }: Shape): boolean {
  return status >= 400 && status < 500 && ![401, 403, 429].includes(status);
}
