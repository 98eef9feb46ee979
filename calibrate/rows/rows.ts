import type { AssumptionId } from "../../src/assumptions/catalogue.ts";
import type { ProbeId } from "../probes.ts";
import type { CalibratedRow, CalibratedRows } from "../verdict.ts";
import { dataRows } from "./data.ts";
import { documentRows } from "./documents.ts";
import { orderRows } from "./orders.ts";
import { requestRows } from "./requests.ts";
import { transportRows } from "./transport.ts";

/** A decision for every assumption: the compiler refuses a row of the catalogue without one. */
const rows: CalibratedRows = { ...requestRows, ...documentRows, ...orderRows, ...dataRows, ...transportRows };

export const rowsInOrder = Object.entries(rows) as [AssumptionId, CalibratedRow][];

/** Returns the assumptions that a request serves. */
export function servedBy(id: ProbeId): AssumptionId[] {
  return rowsInOrder.flatMap(([row, { probes }]) => (probes.includes(id) ? row : []));
}
