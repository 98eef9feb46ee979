import type { Shape } from "../responses/shape.ts";
import type { ProbeId } from "../service/probes.ts";

/** The shapes of all responses so far. */
export class Observations {
  /** The first 429. */
  rateLimited: Shape | undefined;
  readonly #responses: { readonly id: ProbeId; readonly shape: Shape }[] = [];

  add(id: ProbeId, shape: Shape): void {
    this.#responses.push({ id, shape });
  }

  clear(): void {
    this.#responses.length = 0;
    this.rateLimited = undefined;
  }

  all(id: ProbeId): readonly Shape[] {
    return this.#responses.flatMap((response) => (response.id === id ? response.shape : []));
  }

  /** Returns the first response; undefined without a response. */
  first(id: ProbeId): Shape | undefined {
    return this.all(id)[0];
  }

  /** Returns the first response to each of these requests. */
  firstOfEach(...ids: readonly ProbeId[]): readonly Shape[] {
    return ids.flatMap((id) => this.first(id) ?? []);
  }
}

/** Returns `404, 404 and 401`. */
export function formatStatuses(shapes: readonly { readonly status: number }[]): string {
  const statuses = shapes.map(({ status }) => String(status));
  return statuses.length < 2 ? statuses.join("") : `${statuses.slice(0, -1).join(", ")} and ${statuses.at(-1)}`;
}

export function isRefusal({ status }: Shape): boolean {
  return status >= 400 && status < 500 && ![401, 403, 429].includes(status);
}
