import type { InvestmentStatusDocument } from "offering-sandbox";
import { pause } from "./pause.ts";
import { mayPass } from "./refusal.ts";
import type { Service } from "./service.ts";

/** The progress of an investment. */
export interface Standing {
  readonly status: string;
  readonly step: string | null;
}

/** The specification does not show the body of a status, so it is read with and without its wrapper. */
export function standingOf(document: InvestmentStatusDocument): Standing {
  const { status, step } = "data" in document ? document.data.attributes : document;
  return { status, step };
}

export function isFinal({ status }: Standing): boolean {
  return status === "CLOSED";
}

export interface Watch {
  /** Waits until the next request, after a number of consecutive requests without a response. */
  readonly rest?: (failures: number) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** How many consecutive requests may go without a response. */
const maxFailures = 3;

/** Polls an investment's status, and yields it whenever it has changed, until it is CLOSED. */
export async function* watchStanding(
  service: Service,
  id: string,
  known: Standing,
  { signal, rest = (failures) => pause(3000 * 2 ** failures, signal) }: Watch = {},
): AsyncGenerator<Standing, void> {
  let last = known;
  let failures = 0;
  while (!isFinal(last)) {
    await rest(failures);
    try {
      const standing = standingOf(await service.status(id, signal));
      failures = 0;
      if (standing.status === last.status && standing.step === last.step) continue;
      last = standing;
    } catch (error) {
      if (mayPass(error) && ++failures < maxFailures) continue;
      throw error;
    }
    yield last;
  }
}
