import { expect, test } from "vitest";
import { known, openSandbox, type TestResponse, type TestSandbox } from "../support/sandbox.ts";

/** Writes an investment in a line: `PENDING SIGNERS 0/5000 4 events, pending 5000, S-` (S signed, - unsigned). */
async function look({ raw }: TestSandbox, id: string, key: string = known.keys.partner): Promise<string> {
  const [document, events] = [
    await raw(`/api/v1/investments/${id}`, { key }),
    await raw(`/api/v1/investments/${id}/events`, { key }),
  ];
  if (document.status !== 200) return String(document.status);
  const { status, step, paid_amount, amount } = document.json.data.attributes;
  const payments = included(document, "payments").map((payment) => [payment["status"], payment["amount"]].join(" "));
  const signed = included(document, "signing_parties").map((party) => (party["signed"] ? "S" : "-"));
  const parts = [`${events.json.included.length} events`, ...payments, signed.join("")];
  return `${status} ${step ?? "-"} ${paid_amount}/${amount} ${parts.join(", ")}`;
}

function included(document: TestResponse, type: string): Record<string, unknown>[] {
  return document.json.included
    .filter((resource: { type: string }) => resource.type === type)
    .map((resource: { attributes: unknown }) => resource.attributes);
}

/** Reads with the keys of the offering after a step; with the partner key, the whole investment. */
async function lookAround(opened: TestSandbox, id: string): Promise<string> {
  const marketing = await look(opened, id, known.keys.marketing);
  const offering = await opened.raw(`/api/v1/offerings/${known.aurora}`, { key: known.keys.marketing });
  const status = offering.json.data?.attributes.status ?? offering.status;
  return `${await look(opened, id)}; marketing ${marketing.split(" ")[0]}; offering ${status}`;
}

test.each([
  "busy-day",
  "closing",
  "joint-investors-with-countersigner",
  "key-revoked-midway",
  "live-demo",
  "offering-winds-down",
  "partial-payments",
  "payment-fails-then-succeeds",
  "stalled-at-signers",
])("%s reaches each stage at its instant, and not a millisecond earlier", async (name) => {
  const opened = await openSandbox();
  const { sandbox } = opened;
  const { steps, investment_ids } = await sandbox.play(name);
  const [id = ""] = investment_ids;
  const investmentSteps = steps.filter(({ investment_id }) => investment_id === id);
  const dates = new Set(investmentSteps.map(({ due }) => Date.parse(due ?? "")));
  const seenAt = async (date: number): Promise<string> => {
    await sandbox.clock.set({ now: new Date(date).toISOString() });
    return lookAround(opened, id);
  };
  const stages: string[] = [];
  for (const date of dates) {
    if (stages.length > 0) expect(await seenAt(date - 1)).toBe(stages.at(-1));
    stages.push(await seenAt(date));
  }
  await expect(`${stages.join("\n")}\n`).toMatchFileSnapshot(`stories/${name}.txt`);
  const [run] = await sandbox.runs.list();
  const done = run?.steps.filter((step) => step.investment_id === id && step.status === "done");
  expect(done).toHaveLength(investmentSteps.length);
  expect(await seenAt(Math.min(...dates) - 1)).toMatch(/^404; /);
});

test("polling: only reads move it, and the read that fires a step still returns the old state", async () => {
  const opened = await openSandbox();
  const { sandbox, raw } = opened;
  const { investment_ids } = await sandbox.play("polling");
  const status = async (): Promise<string> => {
    const { json } = await raw(`/api/v1/investments/${investment_ids[0]}/status`);
    return `${json.data.attributes.status} ${json.data.attributes.step ?? "-"}`;
  };
  const statuses: string[] = [];
  for (let read = 1; read <= 5; read++) statuses.push(await status());
  expect(statuses).toEqual(["PENDING SIGNERS", "PENDING SIGNERS", "PENDING -", "PENDING -", "CLOSED -"]);
  expect((await sandbox.runs.list())[0]?.status).toBe("finished");
});

test("busy-day: all its investments are there, numbered in the order of creation", async () => {
  const opened = await openSandbox();
  const { sandbox, raw } = opened;
  const before = (await raw(`/api/v1/offerings/${known.aurora}/investments`)).json.meta.total;
  await sandbox.play("busy-day");
  await sandbox.clock.advance("3d");
  const { investment_ids, status } = (await sandbox.runs.list())[0] ?? { investment_ids: [], status: "" };
  expect(status).toBe("finished");
  const { json } = await raw(`/api/v1/offerings/${known.aurora}/investments?size=100`);
  expect(json.meta.total).toBe(before + investment_ids.length);
  const numbers = json.data.map(
    (investment: { attributes: { investment_number: number } }) => investment.attributes.investment_number,
  );
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => at + 1));
});
