import type { InvestmentDocument, InvestmentListDocument, OfferingDocument } from "offering-sandbox";
import { NoAnswer, type Service } from "./service.ts";

/** As many as the sandbox gives at once; what the real service gives, the specification does not say. */
const pageSize = 100;

/** What there is to read of an offering. */
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

  /** Every investment, whole; undefined for one that is listed but cannot be found. */
  async *investments(): AsyncGenerator<{ id: string; document: InvestmentDocument | undefined }, void> {
    for await (const id of this.#ids()) {
      yield { id, document: await this.#find<InvestmentDocument>(`/investments/${id}`) };
    }
  }

  /**
   * The ids of all investments, each once. How a list ends is not specified: here it ends with the page that its `meta`
   * names as the last, or with one that is missing or has nothing new.
   */
  async *#ids(): AsyncGenerator<string, void> {
    const seen = new Set<string>();
    for (let page = 1; ; page++) {
      const list = await this.#find<InvestmentListDocument>(
        `${this.#offering}/investments?page=${page}&size=${pageSize}`,
      );
      const fresh = (list?.data ?? []).map(({ id }) => id).filter((id) => !seen.has(id));
      for (const id of fresh) {
        seen.add(id);
        yield id;
      }
      if (fresh.length === 0 || page === list?.meta?.pages) return;
    }
  }

  async #find<Document>(path: string): Promise<Document | undefined> {
    try {
      return await this.#service.get<Document>(path);
    } catch (error) {
      if (error instanceof NoAnswer && error.status === 404) return undefined;
      throw error;
    }
  }
}
