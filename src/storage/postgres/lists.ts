import { summarizeEnvironment } from "../../control/describe.ts";
import type { EnvironmentSummary } from "../../descriptions.ts";
import { Environment } from "../../environment/environment.ts";
import { ControlError } from "../../errors/control-error.ts";
import { Mistake } from "../../model/mistakes.ts";
import { type Head, type OpenedRow, openRow, type Row, summaryNow } from "./rows.ts";
import type { Session } from "./session.ts";
import * as statements from "./statements.ts";

/** Finds an environment for which this process acts. */
type FindHeld = (id: string, uid: string) => Environment | undefined;

/** All environments, oldest first. Those of other processes are copies, and none is claimed. */
export async function listEnvironments(
  session: Session,
  findHeld: FindHeld,
  open: (document: unknown) => Promise<OpenedRow>,
): Promise<readonly Environment[]> {
  const { rows } = await session.query<Row & { id: string; uid: string }>(statements.listDocuments, () => []);
  const all = rows.map(async (row) => {
    const held = findHeld(row.id, row.uid);
    if (held) return held;
    try {
      const { setup, content } = await openRow(row, open);
      return new Environment(setup, content);
    } catch (error) {
      // Only processes that have its fixture can describe it, and nobody one that somebody else wrote.
      if (!(error instanceof ControlError || error instanceof Mistake)) throw error;
      return undefined;
    }
  });
  return (await Promise.all(all)).filter((environment) => environment !== undefined);
}

/** The summaries of all environments, oldest first, for which none is opened. */
export async function listSummaries(session: Session, findHeld: FindHeld): Promise<readonly EnvironmentSummary[]> {
  const { rows } = await session.query<{ head: Head; age: number }>(statements.listHeads, () => []);
  return rows.flatMap(({ head, age }) => {
    const held = findHeld(head.id, head.uid);
    return (held ? summarizeEnvironment(held) : summaryNow(head, age)) ?? [];
  });
}
