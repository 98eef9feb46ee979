import { type AssumptionId, catalog, parseAssumption } from "../../src/assumptions/catalog.ts";
import type { ProbeId } from "../service/probes.ts";
import { dataTable } from "./data.ts";
import { documentTable } from "./documents.ts";
import { orderTable } from "./orders.ts";
import { requestTable } from "./requests.ts";
import { conventionalValues, noResponse, undetermined, type Row, type Rows, type Verdict } from "./row.ts";
import type { Observations } from "./observations.ts";
import { transportTable } from "./transport.ts";

const rows: Rows = { ...requestTable, ...documentTable, ...orderTable, ...dataTable, ...transportTable };

/** Every assumption, in the order of the catalog, with the requests for its decision. */
export const assumptions = catalog.map(({ id }) => ({ id, probes: rows[id]?.probes ?? [] }));

export function servedBy(probe: ProbeId): AssumptionId[] {
  return assumptions.flatMap(({ id, probes }) => (probes.includes(probe) ? id : []));
}

/** Decides an assumption from the responses so far. */
export function verdictOn(id: AssumptionId, observations: Observations): Verdict {
  const row: Row | undefined = rows[id];
  if (!row) return undetermined("not requested");
  const [probe] = row.probes;
  const response = probe === undefined ? observations.rateLimited : observations.first(probe);
  if (!response) return undetermined(row.noResponseReason ?? noResponse);
  const verdict = row.decide(response, observations);
  if (verdict.kind === "unsupported") return { ...verdict, nearest: verdict.nearest ?? conventionalValues[id] };
  if (verdict.kind === "undetermined") return verdict;
  try {
    return { ...verdict, value: parseAssumption(id, verdict.value)[id] ?? verdict.value };
  } catch {
    return { kind: "unsupported", observed: String(verdict.value), nearest: conventionalValues[id] };
  }
}
