import { describe, expect, test } from "vitest";
import type { Environment, ReplayedRequest, Sandbox, Snapshot } from "../../src/public/control.ts";
import { checksumOf } from "../support/checksum.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";

const wholePath = `/investments/${known.whole}`;
const listPath = `/offerings/${known.aurora}/investments`;

/** Sends a request as any client might: with any method, path and Authorization header. */
async function send({ baseUrl }: Environment, path: string, authorization?: string, method = "GET"): Promise<void> {
  const headers = authorization === undefined ? {} : { authorization };
  const response = await fetch(baseUrl + path, { method, headers }).catch(() => undefined);
  await response?.arrayBuffer().catch(() => undefined);
}

/** Sends requests of every kind, and makes changes of every kind between them. */
async function sendEveryKind(sandbox: Sandbox): Promise<void> {
  const { clock, keys, faults, limits, investments, assumptions } = sandbox;
  await read(sandbox, wholePath);
  await read(sandbox, wholePath, known.keys.marketing);
  await send(sandbox, wholePath);
  await send(sandbox, wholePath, "Basic c2VjcmV0");
  await read(sandbox, wholePath, "sandbox_partner_nobody_knows");
  await read(sandbox, wholePath, known.keys.revoked);
  await read(sandbox, `/offerings/${known.borealis}`);
  await read(sandbox, `${listPath}?page=0&create_date[gte]=yesterday`);
  await read(sandbox, "/nowhere");
  const { id } = await keys.issue({ type: "partner", offering_id: known.aurora });
  await clock.advance("1h");
  await investments.change(known.whole, { status: "CLOSED", step: null });
  await read(sandbox, wholePath);
  await sandbox.play("closing");
  await clock.advance("2d");
  await read(sandbox, `${listPath}?status=CLOSED`);
  await limits.set((await keys.list())[0]?.id ?? "", 120);
  await read(sandbox, listPath, (await keys.list())[0]?.key);
  await assumptions.set({ "errors.body": "empty" });
  await read(sandbox, "/nowhere");
  await assumptions.set({ "errors.body": "message" });
  await read(sandbox, "/nowhere");
  await clock.set({ now: "2026-01-15T12:30:00.000Z" });
  await read(sandbox, wholePath);
  await clock.advance("5d");
  await keys.revoke(id);
  await read(sandbox, `${wholePath}/events`);
  await faults.add({ delay: 1, times: 1 });
  await read(sandbox, `${wholePath}/status`);
  await faults.add({ respond: { status: 503 }, times: 1 });
  await read(sandbox, wholePath);
  await faults.add({ connection: "reset", times: 1 });
  await send(sandbox, wholePath, `Bearer ${known.keys.partner}`);
  await send(sandbox, wholePath, `Bearer ${known.keys.partner}`, "HEAD");
  await read(sandbox, "/investments/aB3dE5fG7hI9jK1lM3nO5p");
}

/** Returns the results that are not `same`, each with its reason. */
function exceptions(entries: readonly ReplayedRequest[]): object[] {
  return entries.filter(({ result }) => result !== "same").map(({ result, reason }) => ({ result, reason }));
}

describe("replay", () => {
  test("a replay gives each request of the journal the same response again, or says why it cannot", async () => {
    const sandbox = await openControl({ rateLimit: 120 });
    await sendEveryKind(sandbox);
    const stateBefore = [await sandbox.requests.list(), await sandbox.clock.get(), await sandbox.timeline()];
    const { data } = await sandbox.requests.list();
    const report = await sandbox.replay();
    expect(exceptions(report.entries)).toEqual([
      { result: "skipped", reason: "fault-3 responded" },
      { result: "skipped", reason: "fault-4 ended it" },
      { result: "skipped", reason: "only a GET is repeated" },
      { result: "skipped", reason: "its path is concealed" },
    ]);
    expect([report.same, report.different, report.skipped]).toEqual([data.length - 4, 0, 4]);
    expect([await sandbox.requests.list(), await sandbox.clock.get(), await sandbox.timeline()]).toEqual(stateBefore);
    const statuses = new Set(data.map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 401, 403, 400, 404, 429, 503, null]));
  });

  test("a sandbox with another fixture replays the snapshot of an environment", async () => {
    const sandbox = await openControl();
    const environment = await sandbox.openEnvironment({ id: "tests", clock: "2026-01-20T00:00:00.000Z" });
    await read(environment, wholePath, environment.keys.partner);
    await environment.investments.change(known.whole, { amount: 1000 });
    await read(environment, wholePath, environment.keys.partner);
    await read(environment, wholePath, environment.keys.marketing);
    const snapshot = await environment.snapshot();
    const { sandbox: secondSandbox } = await openSandbox({ fixture: "minimal" });
    expect(await secondSandbox.replay(snapshot)).toMatchObject({ same: 3, different: 0, skipped: 0 });
    expect(await secondSandbox.environments()).toHaveLength(1);
  });

  test("the response to a request is built again from the state at the time of the request", async () => {
    const sandbox = await openControl();
    const first = await read(sandbox, wholePath);
    await sandbox.investments.change(known.whole, { status: "CLOSED", step: null });
    await sandbox.clock.advance("1h");
    const second = await read(sandbox, wholePath, known.keys.marketing);
    await sandbox.faults.add({ respond: { status: 500 } });
    await read(sandbox, wholePath);
    const [firstResponse, secondResponse, faultResponse] = await Promise.all(
      [1, 2, 3].map((id) => sandbox.requests.response(id)),
    );
    expect(firstResponse).toMatchObject({ status: 200, body: first.text, same: true, reason: null });
    expect(firstResponse?.headers["Content-Type"]).toBe(first.headers.get("content-type"));
    expect(secondResponse).toMatchObject({ status: 200, body: second.text, same: true });
    expect(faultResponse).toEqual({ status: 500, headers: {}, body: null, same: null, reason: "fault-1 responded" });
    await expect(sandbox.requests.response(4)).rejects.toMatchObject({ code: "not_found" });
  });

  test("under other assumptions, a replay names the requests whose responses differ, and the members that differ", async () => {
    const sandbox = await openControl();
    await read(sandbox, wholePath);
    await read(sandbox, `${listPath}?page=9`);
    const { entries } = await sandbox.replay(undefined, { assumptions: { "list.past_end": "404" } });
    expect(entries).toMatchObject([
      { result: "same" },
      { result: "different", reason: "404 in place of 200", differs: expect.arrayContaining(["data", "errors"]) },
    ]);
    expect((await sandbox.replay(undefined, { profile: "minimal", responses: true })).entries).toMatchObject([
      { response: { status: 200 } },
      { response: {} },
    ]);
    await expect(sandbox.replay(undefined, { assumptions: { "list.past_ends": "404" } })).rejects.toThrow(/past_end/);
    await expect(sandbox.replay(undefined, { profile: "minimum" as "minimal" })).rejects.toThrow(/minimal/);
  });
});

/** Returns an edited snapshot with a checksum that fits. */
function forge(snapshot: Snapshot, change: (text: string) => string): Snapshot {
  const { checksum: _, ...body } = JSON.parse(change(JSON.stringify(snapshot)));
  return { ...body, checksum: checksumOf(body) };
}

test("a replay names the member that differs because a change was edited in the snapshot", async () => {
  const { sandbox } = await openSandbox();
  await read(sandbox, wholePath);
  await sandbox.investments.change(known.whole, { amount: 1000 });
  await read(sandbox, wholePath);
  const editedSnapshot = forge(await sandbox.snapshot(), (text) => text.replaceAll('"amount":1000', '"amount":2000'));
  const { entries } = await sandbox.replay(editedSnapshot);
  expect(entries.map(({ result }) => result)).toEqual(["same", "different"]);
  expect(entries[1]?.differs).toContain("data.attributes.amount");
});

test("a replay skips a request, and gives the reason, if changes of its time have been removed since", async () => {
  const { sandbox } = await openSandbox();
  const { id } = await sandbox.play("closing");
  await sandbox.clock.advance("2d");
  await read(sandbox, `${listPath}?size=100`);
  await sandbox.clock.set({ now: "2026-01-15T12:00:00.000Z" });
  await sandbox.runs.stop(id);
  for (const options of [{}, { profile: "minimal" as const }, { assumptions: { cors: "no" } }]) {
    expect((await sandbox.replay(undefined, options)).entries).toMatchObject([
      { result: "skipped", reason: "changes of that time have been removed since" },
    ]);
  }
});
