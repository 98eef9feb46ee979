import { expect, test } from "vitest";
import { type AdminOperation, pathsOf } from "../../src/control/operation.ts";
import { adminOperations } from "../../src/control/operations.ts";
import { openAdmin } from "./admin.ts";

const pastedKeys = ["Real.Prod+Key/98765432abcdEFGH==", "98765432109876543", "MAXbqjzvRkWcTnYhGfDsPlOeU"];

/** Bodies with a string at each position. */
function bodiesWith(key: string, names: readonly string[]): unknown[] {
  const members = names.flatMap((name) => [{ [name]: key }, { [name]: [key] }, { [name]: { [key]: key } }]);
  const header = { respond: { status: 500, headers: { [key]: [] } } };
  return [key, [key], { [key]: key }, ...members, { snapshot: { format: key } }, { format: key }, header];
}

test.each(pastedKeys)("no response of the admin API repeats the pasted key %s", async (key) => {
  const { admin } = await openAdmin();
  const leaks: string[] = [];
  const expectNoKey = async (call: string, body?: unknown): Promise<void> => {
    const { text } = await admin(call, body);
    if (text.includes(key.slice(0, 12))) leaks.push(`${call} ${JSON.stringify(body)}: ${text}`);
  };
  for (const [id, operation] of Object.entries<AdminOperation>(adminOperations)) {
    // A stopped sandbox could not respond to the next calls.
    if (id === "stopSandbox") continue;
    for (const path of pathsOf(operation)) {
      const target = path.replaceAll(/\{(\w+)\}/g, encodeURIComponent(key));
      await expectNoKey(`${operation.method} ${target}`);
      const known = path.replace("{environment}", "default").replace("{id}", encodeURIComponent(key));
      if (id === "deleteEnvironment") continue;
      for (const name of Object.keys(operation.query ?? {})) {
        await expectNoKey(`${operation.method} ${known}?${name}=${encodeURIComponent(key)}`);
      }
      await expectNoKey(`${operation.method} ${known}?${encodeURIComponent(key)}=1`);
    }
    if (operation.method === "GET" || operation.body === undefined) continue;
    const names = ["now", "by", "to", "type", "offering_id", "investment_id", "scenario", "steps", "path", "key_id"];
    const otherNames = [
      "fixture",
      "scenarios",
      "profile",
      "assumptions",
      "used",
      "respond",
      "delay",
      "amount",
      "clock",
      "speed",
    ];
    const operationPath = pathsOf(operation)[0]
      ?.replace("{environment}", "default")
      .replace("{id}", encodeURIComponent(key));
    for (const body of bodiesWith(key, [...names, ...otherNames]))
      await expectNoKey(`${operation.method} ${operationPath}`, body);
  }
  expect(leaks).toEqual([]);
});
