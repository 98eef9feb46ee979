import { describe, expect, test } from "vitest";
import { known, openSandbox, type Answer, type TestSandbox } from "../support/sandbox.ts";

/** An investment and its events in a line: `PENDING SIGNERS 0/5000 4 events, pending 5000, S-` (S signed, - unsigned). */
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

function included(document: Answer, type: string): Record<string, unknown>[] {
  return document.json.included
    .filter((resource: { type: string }) => resource.type === type)
    .map((resource: { attributes: unknown }) => resource.attributes);
}

/** For each scenario, the investment after each of its steps. */
const stories: Record<string, string[]> = {
  closing: [
    "PENDING - 0/5000 1 events, -",
    "PENDING - 0/5000 2 events, -",
    "PENDING - 0/5000 3 events, -",
    "PENDING SIGNERS 0/5000 4 events, -",
    "PENDING - 0/5000 4 events, S",
    "PENDING - 0/5000 5 events, pending 5000, S",
    "CLOSED - 5000/5000 6 events, succeeded 5000, S",
  ],
  "stalled-at-signers": [
    "PENDING - 0/12000 2 events, --",
    "PENDING SIGNERS 0/12000 3 events, --",
    "PENDING SIGNERS 0/12000 3 events, S-",
    "PENDING SIGNERS 0/12000 4 events, pending 12000, S-",
    "PENDING SIGNERS 12000/12000 5 events, succeeded 12000, S-",
  ],
  "payment-fails-then-succeeds": [
    "PENDING - 0/2500 2 events, -",
    "PENDING SIGNERS 0/2500 3 events, -",
    "PENDING - 0/2500 3 events, S",
    "PENDING - 0/2500 4 events, pending 2500, S",
    "PENDING - 0/2500 4 events, failed 2500, S",
    "PENDING - 0/2500 5 events, failed 2500, pending 2500, S",
    "CLOSED - 2500/2500 6 events, failed 2500, succeeded 2500, S",
  ],
  "partial-payments": [
    "PENDING - 0/10000 2 events, -",
    "PENDING SIGNERS 0/10000 3 events, -",
    "PENDING - 0/10000 3 events, S",
    "PENDING - 0/10000 4 events, pending 2500, S",
    "PENDING - 2500/10000 5 events, succeeded 2500, S",
    "PENDING - 2500/10000 6 events, succeeded 2500, pending 2500, S",
    "PENDING - 5000/10000 7 events, succeeded 2500, succeeded 2500, S",
    "PENDING - 5000/10000 8 events, succeeded 2500, succeeded 2500, pending 5000, S",
    "CLOSED - 10000/10000 9 events, succeeded 2500, succeeded 2500, succeeded 5000, S",
  ],
  "joint-investors-with-countersigner": [
    "PENDING - 0/20000 1 events, ---",
    "PENDING - 0/20000 2 events, ---",
    "PENDING SIGNERS 0/20000 3 events, ---",
    "PENDING SIGNERS 0/20000 3 events, S--",
    "PENDING SIGNERS 0/20000 3 events, SS-",
    "PENDING SIGNERS 0/20000 4 events, pending 20000, SS-",
    "PENDING SIGNERS 20000/20000 5 events, succeeded 20000, SS-",
    "CLOSED - 20000/20000 5 events, succeeded 20000, SSS",
  ],
  "busy-day": [
    "PENDING - 0/1000 1 events, -",
    "PENDING - 0/1000 2 events, -",
    "PENDING SIGNERS 0/1000 3 events, -",
    "PENDING - 0/1000 3 events, S",
    "PENDING - 0/1000 4 events, pending 1000, S",
    "CLOSED - 1000/1000 5 events, succeeded 1000, S",
  ],
  "live-demo": [
    "PENDING - 0/2500 1 events, -",
    "PENDING - 0/2500 2 events, -",
    "PENDING - 0/2500 3 events, -",
    "PENDING SIGNERS 0/2500 4 events, -",
    "PENDING - 0/2500 4 events, S",
    "PENDING - 0/2500 5 events, pending 2500, S",
    "CLOSED - 2500/2500 6 events, succeeded 2500, S",
  ],
};

describe.each(Object.entries(stories))("%s", (name, stages) => {
  test("reaches each stage at its instant, and not a millisecond earlier", async () => {
    const opened = await openSandbox();
    const { sandbox } = opened;
    const run = await sandbox.play(name);
    const [id = ""] = run.investment_ids;
    const steps = run.steps.filter((step) => step.investment_id === id);
    expect(steps).toHaveLength(stages.length);
    for (const [index, { due }] of steps.entries()) {
      const at = Date.parse(due ?? "");
      const before = new Date(at - 1).toISOString();
      if (index > 0) {
        await sandbox.clock.set({ now: before });
        expect(await look(opened, id)).toBe(stages[index - 1]);
      }
      await sandbox.clock.set({ now: new Date(at).toISOString() });
      expect(await look(opened, id)).toBe(stages[index]);
    }
    const [finishedRun] = await sandbox.runs.list();
    expect(finishedRun?.steps.slice(0, stages.length).every(({ status }) => status === "done")).toBe(true);
    await sandbox.clock.set({ now: new Date(Date.parse(steps[0]?.due ?? "") - 1).toISOString() });
    expect(await look(opened, id)).toBe("404");
  });
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

test("key-revoked-midway: the partner key is refused from its revocation on, and the investment closes", async () => {
  const opened = await openSandbox();
  const { sandbox } = opened;
  const { investment_ids, steps } = await sandbox.play("key-revoked-midway");
  const id = investment_ids[0] ?? "";
  const answers: string[] = [];
  for (const { due } of steps) {
    await sandbox.clock.set({ now: due ?? "" });
    const views = await Promise.all([look(opened, id), look(opened, id, known.keys.marketing)]);
    answers.push(views.map((text) => text.split(" ")[0]).join(" "));
  }
  expect(answers[0]).toBe("PENDING PENDING");
  expect(answers).toContain("401 PENDING");
  expect(answers.at(-1)).toBe("401 CLOSED");
  const issued = (await sandbox.keys.list()).filter(({ type, status }) => type === "partner" && status === "active");
  expect(issued.length).toBeGreaterThan(0);
});

test("offering-winds-down: the last investment closes, then the offering, then its keys are revoked", async () => {
  const opened = await openSandbox();
  const { sandbox, raw } = opened;
  const { investment_ids, steps } = await sandbox.play("offering-winds-down");
  const states: string[] = [];
  for (const { due } of steps) {
    await sandbox.clock.set({ now: due ?? "" });
    const offering = await raw(`/api/v1/offerings/${known.aurora}`);
    const status = offering.status === 200 ? offering.json.data.attributes.status : offering.status;
    states.push(`${(await look(opened, investment_ids[0] ?? "")).split(" ")[0]} ${status}`);
  }
  expect(states[0]).toBe("PENDING ACTIVE");
  expect(states).toContain("CLOSED ACTIVE");
  expect(states.some((text) => /^CLOSED (?!ACTIVE)/.test(text))).toBe(true);
  expect(states.at(-1)).toBe("401 401");
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
    (one: { attributes: { investment_number: number } }) => one.attributes.investment_number,
  );
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => at + 1));
});

test("flaky-service: slow, then two 500s, a cut connection, 503 with Retry-After, and normal again", async () => {
  const opened = await openSandbox();
  const { sandbox, raw } = opened;
  const { investment_ids, steps } = await sandbox.play("flaky-service");
  const path = `/api/v1/investments/${investment_ids[0]}/status`;
  const ask = (): Promise<string> =>
    raw(path).then(
      ({ status, headers }) => `${status}${headers["retry-after"] ? ` after ${headers["retry-after"]}` : ""}`,
      () => "cut off",
    );
  const atStep = (index: number): Promise<unknown> => sandbox.clock.set({ now: steps[index]?.due ?? "" });
  await atStep(1);
  expect(await sandbox.faults.list()).toMatchObject([{ delay: "2s", active: true }]);
  await atStep(2);
  expect([await ask(), await ask(), await ask()]).toEqual(["500", "500", "200"]);
  await atStep(3);
  expect([await ask(), await ask()]).toEqual(["cut off", "200"]);
  await atStep(4);
  expect([await ask(), await ask()]).toEqual(["503 after 30", "503 after 30"]);
  await sandbox.clock.advance("30s");
  expect(await ask()).toBe("200");
  await atStep(5);
  expect(await look(opened, investment_ids[0] ?? "")).toMatch(/^CLOSED - 5000\/5000/);
});
