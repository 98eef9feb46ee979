import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { describeWithPostgres, useCluster } from "../../support/postgres.ts";
import { until } from "../../support/until.ts";
import { Model } from "./model.ts";
import { startProcesses } from "./processes.ts";

/** `ROUNDS=10 npx vitest run --project slow test/storage/postgres` does ten times as much. */
const rounds = Number(process.env["ROUNDS"] ?? 1);

describeWithPostgres("crashes of the database during transfers, where PostgreSQL is installed", () => {
  const use = useCluster();

  test("random commands of any process are visible in all, and none is lost or repeated", async () => {
    const timings = {
      heartbeatIntervalMs: 200,
      leaseDurationMs: 600,
      takeoverDelayMs: 600,
      idleSessionTimeoutMs: 2000,
    };
    const processes = await startProcesses(3, use.cluster.newAddress(), {}, timings);
    const models = await Promise.all(Array.from({ length: 8 }, (_, nth) => Model.open(processes, nth)));
    const over = new AbortController();
    let responded = 0;
    const works = models.map(async (model) => {
      for (let nth = 0; !over.signal.aborted; nth++) responded += Number(await model.performUnderFailures(nth));
    });
    for (let kills = 0; kills < 5 * rounds; kills++) {
      await wait(800);
      const before = responded;
      await use.cluster.restart("immediate");
      await Promise.race([until(() => responded >= before + 20), ...works]);
    }
    over.abort();
    await Promise.all(works);
    expect(responded).toBeGreaterThan(0);
  });
});
