import { expect, test } from "vitest";
import { Place } from "../../src/fixture/complete/place.ts";
import type { OpenedEnvironment } from "../../src/index.ts";
import { known, openSandbox } from "../support/sandbox.ts";

test("of 150 environments, half closed in any order, each key answers for its own alone", async () => {
  const random = Place.root(26).at("many").random();
  const { sandbox, raw } = await openSandbox({ maxEnvironments: 151 });
  const open: OpenedEnvironment[] = [];
  const closed: string[] = [];
  for (let opened = 0; opened < 150 || closed.length < 75;) {
    if (opened < 150 && (open.length === 0 || closed.length === 75 || random.chance(2 / 3))) {
      open.push(await sandbox.openEnvironment({ label: `test ${++opened}` }));
    } else {
      for (const one of open.splice(random.between(0, open.length - 1), 1)) {
        closed.push(one.keys.partner);
        await one.close();
      }
    }
  }
  expect((await sandbox.environmentSummaries()).map(({ id }) => id)).toEqual(["default", ...open.map(({ id }) => id)]);
  const path = `/api/v1/offerings/${known.aurora}`;
  for (const key of closed) expect((await raw(path, { key })).status).toBe(401);
  for (const one of open) expect((await raw(path, { key: one.keys.partner })).status).toBe(200);
  const journals = await Promise.all(open.map(async ({ requests }) => (await requests.list()).data));
  for (const [at, journal] of journals.entries()) {
    expect(journal).toMatchObject([{ environment: open[at]?.id, status: 200 }]);
  }
});

test("the refusal of one environment too many names the setting", async () => {
  const { sandbox } = await openSandbox({ maxEnvironments: 2 });
  const first = await sandbox.openEnvironment();
  await expect(sandbox.openEnvironment()).rejects.toMatchObject({
    code: "conflict",
    message: "There are 2 environments already; drop one first, or start with a higher --max-environments.",
  });
  await first.close();
  expect((await sandbox.openEnvironment()).id).toBe("environment-3");
});
