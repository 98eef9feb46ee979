import type { InvestmentDocument, InvestmentListDocument, OfferingDocument } from "offering-sandbox";
import { NoResponse, type Service } from "./service.ts";

/** Reads everything about an offering. */
export class Ledger {
  readonly #service: Service;
  readonly #offering: string;

  constructor(service: Service, offeringId: string) {
    this.#service = service;
    this.#offering = `/offerings/${offeringId}`;
  }

  async name(): Promise<string> {
    const { data } = await this.#service.get<OfferingDocument>(this.#offering);
    return data.attributes.name;
  }

  /** Yields every investment with its details; undefined for one that is listed but cannot be found. */
  async *investments(): AsyncGenerator<{ id: string; document: InvestmentDocument | undefined }, void> {
    for await (const id of this.#ids()) {
      yield { id, document: await this.#find<InvestmentDocument>(`/investments/${id}`) };
    }
  }

  /**
   * The ids of all investments, each once. The order of a list is not specified: if it follows the activity, an
   * investment may move between pages while they are read. So all pages are read again until there is nothing new.
   */
  async *#ids(): AsyncGenerator<string, void> {
    const knownIds = new Set<string>();
    for (let before = -1; before < knownIds.size;) {
      before = knownIds.size;
      yield* this.#freshIds(knownIds);
    }
  }

  /**
   * The ids of a list that are not in `seen` yet, page by page. Sizes, the number of the first page and the response
   * after the last page are not specified. So no size is sent, the first page is requested without a number, page 1 may
   * be that page or the next, and a later page that is refused or has no new item is the end.
   */
  async *#freshIds(knownIds: Set<string>): AsyncGenerator<string, void> {
    const shown = new Set<string>();
    for (let page = 0; ; page++) {
      const path = `${this.#offering}/investments`;
      const list =
        page === 0
          ? await this.#service.get<InvestmentListDocument>(path)
          : await this.#find<InvestmentListDocument>(`${path}?page=${page}`, [400, 404, 422]);
      const ids = (list?.data ?? []).map(({ id }) => id).filter((id) => !shown.has(id));
      for (const id of ids) {
        shown.add(id);
        if (knownIds.has(id)) continue;
        knownIds.add(id);
        yield id;
      }
      if (page > 1 && ids.length === 0) return;
    }
  }

  /** Returns the document at a path; undefined if the service refuses with one of the statuses. */
  async #find<Document>(path: string, statuses: readonly number[] = [404]): Promise<Document | undefined> {
    try {
      return await this.#service.get<Document>(path);
    } catch (error) {
      if (error instanceof NoResponse && statuses.includes(error.status ?? 0)) return undefined;
      throw error;
    }
  }
}
