import { setTimeout as pause } from "node:timers/promises";
import { Ledger } from "./ledger.ts";
import { reconcile } from "./reconcile.ts";
import { Service, type Delay } from "./service.ts";
import { readSettings } from "./settings.ts";
import { table } from "./table.ts";

/** The exit code: 0 if everything agrees, 1 if something does not, 2 if that is unknown. */
process.exitCode = await main().catch((error: Error) => {
  console.error(error.message);
  return 2;
});

async function main(): Promise<number> {
  const settings = readSettings(process.env);
  const ledger = new Ledger(new Service(settings, waitAndSay), settings.offeringId);
  const name = await ledger.name();
  const { investments, differences } = await reconcile(ledger);
  console.log(`${name}: ${count(investments, "investment")} read, ${count(differences.length, "difference")} found.`);
  if (differences.length === 0) return 0;
  const rows = differences.map(({ investment, finding, expected, found }) => [investment, finding, expected, found]);
  console.log(`\n${table(["Investment", "Finding", "Expected", "Found"], rows)}`);
  return 1;
}

async function waitAndSay({ reason, seconds }: Delay): Promise<void> {
  console.error(`${reason} Asking again in ${seconds} s.`);
  await pause(seconds * 1000);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
