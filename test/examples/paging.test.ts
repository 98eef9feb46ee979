import { expect, onTestFinished, test } from "vitest";
import { Ledger } from "../../examples/reconciliation/src/ledger.ts";
import { Service } from "../../examples/reconciliation/src/service.ts";
import { type AssumptionId, catalogue } from "../../src/assumptions/catalogue.ts";
import { formOf } from "../../src/assumptions/forms.ts";
import type { Row } from "../../src/assumptions/row.ts";
import { startSandbox } from "../../src/index.ts";

/** Every value of an assumption; for a number, some around the number of investments. */
function valuesOf({ values, accepts }: Row): (string | number)[] {
  if (typeof accepts === "object") return [1, 7, 44, 45, 46, 1000];
  return [...Object.keys(values), ...(accepts ? [formOf(accepts).example] : [])];
}

type Assumptions = Readonly<Record<string, string | number>>;

const single: readonly Assumptions[] = (catalogue as readonly (Row & { id: AssumptionId })[])
  .filter(({ id }) => id.startsWith("list.") || id === "errors.invalid_parameter")
  .flatMap((row) => valuesOf(row).map((value) => ({ [row.id]: value })));
const together: readonly Assumptions[] = ["0", "1"].flatMap((first) =>
  ["400", "404", "empty"].flatMap((end) =>
    [5, 9, 45].map((size) => ({ "list.first_page": first, "list.past_end": end, "list.default_size": size })),
  ),
);

const fixture = { offerings: [{ generate: { investments: 45 } }] };

test.each(["conventional", "minimal"] as const)(
  "reconciliation reads the whole list of a %s service under every assumption about lists",
  async (profile) => {
    const sandbox = await startSandbox({ fixture, scenarios: [], profile, rateLimit: 0 });
    onTestFinished(() => sandbox.close());
    const read = async (assumptions: Assumptions) => {
      const environment = await sandbox.openEnvironment({ assumptions });
      const [offering] = await environment.offeringSummaries();
      const [key] = await environment.keys.list();
      const settings = { baseUrl: sandbox.baseUrl, offeringId: offering?.id ?? "", key: key?.key ?? "" };
      let [count, amount] = [0, 0];
      for await (const { document } of new Ledger(new Service(settings), settings.offeringId).investments()) {
        count++;
        amount += document?.data.attributes.amount ?? 0;
      }
      expect({ assumptions, count, amount }).toEqual({ assumptions, count: 45, amount: offering?.amount });
    };
    await Promise.all([...single, ...together].map(read));
  },
);
