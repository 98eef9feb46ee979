import { expect, test } from "vitest";
import { openSandbox } from "../support/sandbox.ts";

test("a step whose time is over happens with the one before it, in each repetition", async () => {
  const { sandbox } = await openSandbox();
  const { id } = await sandbox.play({
    repeat: { count: 3, every: "1d" },
    steps: [
      { after: "1h", event: "REGISTRATION COMPLETED" },
      { at: "2026-01-16T00:00:00Z", event: "PROFILE SUBMITTED" },
    ],
  });
  await sandbox.clock.advance("7d");
  const { problem, steps } = await sandbox.runs.get(id);
  expect(problem).toBeNull();
  expect(steps.filter(({ index }) => index === 1).map(({ due }) => due)).toEqual([
    "2026-01-16T00:00:00.000Z",
    "2026-01-16T13:00:00.000Z",
    "2026-01-17T13:00:00.000Z",
  ]);
});
