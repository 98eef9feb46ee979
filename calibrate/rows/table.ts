import { type AssumptionId, catalog, parseAssumption } from "../../src/assumptions/catalog.ts";
import type { ProbeId } from "../service/probes.ts";
import { dataTable } from "./data.ts";
import { documentTable } from "./documents.ts";
import { orderTable } from "./orders.ts";
import { requestTable } from "./requests.ts";
import { conventional, noResponse, open, type Row, type Rows, type Verdict } from "./row.ts";
import type { ProbeResponses } from "./seen.ts";
import { transportTable } from "./transport.ts";

const rows: Rows = { ...requestTable, ...documentTable, ...orderTable, ...dataTable, ...transportTable };

/** Every assumption, in the order of the catalog, with the requests for its decision. */
export const assumptions = catalog.map(
  ({ id }): { readonly id: AssumptionId; readonly probes: readonly ProbeId[] } => ({
    id,
    probes: rows[id]?.probes ?? [],
  }),
);

export function servedBy(probe: ProbeId): AssumptionId[] {
  return assumptions.flatMap(({ id, probes }) => (probes.includes(probe) ? id : []));
}

/** Decides an assumption from the responses so far. */
export function verdictOn(id: AssumptionId, seen: ProbeResponses): Verdict {
  const row: Row | undefined = rows[id];
  if (!row) return open("not asked");
  const [probe] = row.probes;
  const response = probe === undefined ? seen.limited : seen.one(probe);
  if (!response) return open(row.unansweredCount ?? noResponse);
  const verdict = row.decide(response, seen);
  if (verdict.kind === "unsupported") return { ...verdict, nearest: verdict.nearest ?? conventional[id] };
  if (verdict.kind === "open") return verdict;
  try {
    return { ...verdict, value: parseAssumption(id, verdict.value)[id] ?? verdict.value };
  } catch {
    return { kind: "unsupported", saw: String(verdict.value), nearest: conventional[id] };
  }
}
