import type { InvestmentStatusDocument } from "offering-sandbox";
import { pause } from "./pause.ts";
import { mayPass } from "./refusal.ts";
import type { Service } from "./service.ts";

/** How far an investment is. */
export interface Standing {
  readonly status: string;
  readonly step: string | null;
}

/** The body of a status is not shown in the specification: read it with and without its wrapping. */
export function standingOf(document: InvestmentStatusDocument): Standing {
  const { status, step } = "data" in document ? document.data.attributes : document;
  return { status, step };
}

export function isFinal({ status }: Standing): boolean {
  return status === "CLOSED";
}

export interface Watch {
  /** Waits until it is time to ask again, after so many questions in a row without an answer. */
  readonly rest?: (failures: number) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** How many questions in a row may go without an answer. */
const patience = 3;

/** Asks for an investment's status again and again, and yields it each time that it has changed, until it is CLOSED. */
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
      if (mayPass(error) && ++failures < patience) continue;
      throw error;
    }
    yield last;
  }
}
