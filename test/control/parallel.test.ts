import { expect, test } from "vitest";
import { openSandbox } from "../support/sandbox.ts";

test("fifty tests at once on one server, each with its own clock, see nothing of each other", async () => {
  const { sandbox, raw } = await openSandbox();
  const stories = Array.from({ length: 50 }, async (_, index) => {
    const environment = await sandbox.openEnvironment();
    const { investment_ids, steps } = await environment.play("closing");
    const path = `/api/v1/investments/${investment_ids[0]}`;
    const seen: string[] = [];
    const last = index % steps.length;
    for (const { due } of steps.slice(0, last + 1)) {
      await environment.clock.set({ now: due ?? "" });
      if (index % 5 === 0) await environment.faults.add({ respond: { status: 503 }, times: 1 });
      const answers = [await raw(path, { key: environment.keys.partner ?? "" })];
      if (index % 5 === 0) answers.push(await raw(path, { key: environment.keys.partner ?? "" }));
      seen.push(answers.map(({ status, json }) => json?.data?.attributes.status ?? status).join(" "));
    }
    const asked = await environment.requests.count();
    const { now } = await environment.clock.get();
    await environment.close();
    const closed = last === steps.length - 1;
    const stages = steps.slice(0, last + 1).map((_step, at) => (at === last && closed ? "CLOSED" : "PENDING"));
    expect(seen).toEqual(index % 5 === 0 ? stages.map((stage) => `503 ${stage}`) : stages);
    expect(asked).toBe((last + 1) * (index % 5 === 0 ? 2 : 1));
    expect(now).toBe(steps[last]?.due);
  });
  await Promise.all(stories);
  expect(await sandbox.environments()).toHaveLength(1);
  expect(await sandbox.requests.count()).toBe(0);
  expect((await sandbox.clock.get()).now).toBe("2026-01-15T12:00:00.000Z");
});
