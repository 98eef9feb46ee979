import type {
  InvestmentDocument,
  InvestmentEventsDocument,
  InvestmentListDocument,
  InvestmentStatusDocument,
  KeyType,
  OfferingDocument,
} from "offering-sandbox";
import { everything, firstPage, searchOf, type ListQuery } from "./list-query.ts";
import { pause } from "./pause.ts";
import { Refusal, Unreachable } from "./refusal.ts";
import { retryAfterSeconds } from "./retry-after.ts";

/** What is needed to call the service. */
export interface Connection {
  /** The base address, which ends with `/api/v1`. */
  readonly baseUrl: string;
  readonly offeringId: string;
  /** Without one, the dev server adds a key of the sandbox, of this type. */
  readonly key?: string;
  readonly type?: KeyType;
}

/** Waits for the service's limit: receives the number of seconds, resolves when they are over. */
export type Wait = (seconds: number) => Promise<void>;

/** How often a request is repeated after a 429. */
const maxAttempts = 3;

/**
 * The service as one key sees it. Every method rejects with Refusal for an unexpected response, and with Unreachable
 * without a response; after a 429, it first waits.
 */
export class Service<Type extends KeyType = KeyType> {
  readonly #connection: Connection;
  readonly #wait: Wait;
  /** Pending while the limit lasts. It is the limit of the key, so all requests wait together. */
  #limited: Promise<void> | undefined;
  /** The service's number of a page minus ours, once it is known. */
  #shift: number | undefined;

  constructor(connection: Connection, wait: Wait = (seconds) => pause(seconds * 1000)) {
    this.#connection = connection;
    this.#wait = wait;
  }

  offering(signal?: AbortSignal): Promise<OfferingDocument> {
    return this.#get(`/offerings/${this.#connection.offeringId}`, signal);
  }

  async investments(query: ListQuery, signal?: AbortSignal): Promise<InvestmentListDocument<Type>> {
    if (query.page !== firstPage) this.#shift ??= await this.#findShift(signal);
    return this.#list(searchOf(query, this.#shift), signal);
  }

  #list(search: URLSearchParams, signal: AbortSignal | undefined): Promise<InvestmentListDocument<Type>> {
    return this.#get(`/offerings/${this.#connection.offeringId}/investments?${search}`, signal);
  }

  /**
   * The specification does not say where pages begin: page=1 is the first page, or the second if pages count from 0.
   */
  async #findShift(signal: AbortSignal | undefined): Promise<number> {
    const [first] = (await this.#list(searchOf(everything), signal)).data;
    const second = searchOf(everything);
    second.set("page", "1");
    try {
      const { data } = await this.#list(second, signal);
      return data[0]?.id === first?.id ? 0 : -1;
    } catch (error) {
      // There is no second page.
      if (error instanceof Refusal && [400, 404, 422].includes(error.status)) return -1;
      throw error;
    }
  }

  investment(id: string, signal?: AbortSignal): Promise<InvestmentDocument<Type>> {
    return this.#get(`/investments/${encodeURIComponent(id)}`, signal);
  }

  status(id: string, signal?: AbortSignal): Promise<InvestmentStatusDocument> {
    return this.#get(`/investments/${encodeURIComponent(id)}/status`, signal);
  }

  events(id: string, signal?: AbortSignal): Promise<InvestmentEventsDocument> {
    return this.#get(`/investments/${encodeURIComponent(id)}/events`, signal);
  }

  async #get<Document>(path: string, signal: AbortSignal | undefined): Promise<Document> {
    for (let attempt = 0; ; attempt++) {
      await this.#limited;
      signal?.throwIfAborted();
      const response = await this.#fetch(path, signal);
      if (response.status === 429 && attempt < maxAttempts) {
        const seconds = retryAfterSeconds(response.headers.get("retry-after"));
        this.#limited ??= this.#wait(seconds).finally(() => (this.#limited = undefined));
        continue;
      }
      if (!response.ok) throw new Refusal(response.status);
      const document: unknown = await response.json().catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw new Unreachable("The response of the service could not be read.", { cause });
      });
      return document as Document;
    }
  }

  async #fetch(path: string, signal: AbortSignal | undefined): Promise<Response> {
    const { baseUrl, key, type = "" } = this.#connection;
    const headers = key === undefined ? { "sandbox-key": type } : { authorization: `Bearer ${key}` };
    try {
      return await fetch(baseUrl + path, { headers, signal: signal ?? null });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new Unreachable("The service does not respond.", { cause });
    }
  }
}
