import { writeCase } from "../../case-file.ts";
import type { LocalSandbox } from "../../control.ts";
import { printError } from "../output/terminal.ts";

/** Writes a case of each open environment, and names it, if there is a folder for cases. */
export async function tellCases(sandbox: LocalSandbox, failure: string): Promise<void> {
  const { casesDir } = sandbox;
  if (casesDir === null) return;
  for (const { id, label } of await sandbox.environmentSummaries()) {
    const environment = await sandbox.environment(id);
    const lines = await writeCase(async () => casesDir, environment, { titles: [label ?? id], failure });
    for (const line of lines) printError(`environment "${id}", ${line}`);
  }
}
