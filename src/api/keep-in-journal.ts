import { askedBy } from "./call.ts";
import type { Exchange } from "./exchange.ts";

/** Keeps a call in the journal with the status that it is about to be answered with: 0 where nobody is there any more. */
export function keepInJournal({ call, response }: Exchange, answered: number): void {
  const { method, printed: path, hints, start, faultId } = call;
  const status = response.destroyed ? 0 : answered;
  const milliseconds = Math.round((performance.now() - start) * 100) / 100;
  const entry = { method, path, status, milliseconds, key_id: askedBy(call), hints, fault_id: faultId ?? null };
  call.environment.journal(entry);
}
