import type { LocalSandbox } from "../../src/index.ts";

const hostile = "<img src=x onerror=alert(1)>";
const long = "x".repeat(4000);

/** Strings and numbers that must not become markup or widen a page. */
const odd = {
  status: long,
  step: hostile,
  amount: 69_999_999_999_999.99,
  investors: [{ first_name: hostile, last_name: long, email: "odd@example.com" }],
};

/** Options of a sandbox that can be filled. */
export const fillable = { rateLimit: 120, scenarios: [], assumptions: { "investment.statuses": "any" } };

/** Does something of each kind, so that no page is empty. Returns the addresses of all pages. */
export async function fill(sandbox: LocalSandbox): Promise<readonly string[]> {
  const { keys, offerings, investments } = sandbox;
  const run = await sandbox.play("closing", { offering_id: "aurora" });
  const busy = await sandbox.play("busy-day");
  const { id: oddId } = await investments.create(odd);
  const oddRun = await sandbox.play({ steps: [{ next: true, event: `${"X".repeat(90)} <b>Y</b>` }] });
  await sandbox.play({ steps: [{ offering: { name: hostile } }] });
  await sandbox.clock.advance("2h");
  const [id = ""] = run.investment_ids;
  await investments.change(id, { amount: 5001 });
  for (const path of [`/investments/${id}`, `/offerings/${offerings[1]?.id}/investments?size=0`, "/nowhere"]) {
    await fetch(sandbox.baseUrl + path, { headers: { authorization: `Bearer ${keys.partner}` } });
  }
  await sandbox.faults.add({ respond: { status: 503 }, times: 3 });
  await sandbox.assumptions.set({ "ids.case": "exact" });
  await sandbox.openEnvironment({ id: "other", label: "A demo for a colleague" });
  const [key] = await sandbox.keys.list();
  return [
    "overview",
    "investments",
    `investments/${id}`,
    `investments/${id}?document=events`,
    `investments/${oddId}`,
    `investments/offerings/${offerings[0]?.id}`,
    "scenarios",
    "scenarios/joint-investors-with-countersigner",
    `scenarios/runs/${run.id}`,
    `scenarios/runs/${busy.id}`,
    `scenarios/runs/${oddRun.id}`,
    "scenarios/draft/new",
    "keys",
    `keys/${key?.id}`,
    "faults",
    "journal",
    "journal/1",
    "journal/2",
    "coverage",
    "assumptions",
    "assumptions/errors.body",
    "environments",
    "environments/other",
    "api",
    "api/listInvestments",
  ];
}
