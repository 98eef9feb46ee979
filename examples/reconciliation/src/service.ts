import { setTimeout as pause } from "node:timers/promises";
import { retryAfterSeconds } from "./retry-after.ts";
import type { Settings } from "./settings.ts";

/** Why a request has to be repeated, and in how many seconds. */
export interface Delay {
  readonly reason: string;
  readonly seconds: number;
}

/** The service does not respond to a request, and repeating it would not help. */
export class NoResponse extends Error {
  override name = "NoAnswer";
  /** The status; undefined if there was no response at all. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** How often a request is sent before giving up. */
const attempts = 5;

/** Sends requests to the service, one after the other, within its limit. */
export class Service {
  readonly #settings: Settings;
  readonly #wait: (delay: Delay) => Promise<void>;

  constructor(settings: Settings, wait: (delay: Delay) => Promise<void> = ({ seconds }) => pause(seconds * 1000)) {
    this.#settings = settings;
    this.#wait = wait;
  }

  /** Returns the document at a path below the base address. Rejects with NoAnswer. */
  async get<Document>(path: string): Promise<Document> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#try(path, 2 ** (attempt - 1));
      if ("document" in outcome) return outcome.document as Document;
      if (attempt === attempts) throw new NoResponse(`${outcome.reason} Given up after ${attempts} attempts.`);
      await this.#wait(outcome);
    }
  }

  /** Makes one attempt; `patience` is how many seconds to wait if the service does not say. */
  async #try(path: string, retrySeconds: number): Promise<{ readonly document: unknown } | Delay> {
    const { baseUrl, key } = this.#settings;
    try {
      const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` } });
      const { status, ok, headers } = response;
      if (ok) return { document: await response.json() };
      // Read to the end, so that the connection can be reused.
      await response.arrayBuffer();
      if (status === 429) {
        const seconds = retryAfterSeconds(headers.get("retry-after"));
        return { reason: "The limit of requests is reached.", seconds };
      }
      if (status >= 500) return { reason: `The service returned ${status}.`, seconds: retrySeconds };
      throw new NoResponse(`The service returned ${status} to ${path}.`, status);
    } catch (error) {
      if (error instanceof NoResponse) throw error;
      return { reason: "The service did not respond.", seconds: retrySeconds };
    }
  }
}
