import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, temporaryFolder } from "./cli.ts";

function folderWith(text: string): string {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "mine.yaml"), text);
  return cwd;
}

test("scenario list prints the shipped scenarios with their descriptions", async () => {
  const { code, stdout, stderr } = await run(["scenario", "list"]);
  expect(stdout).toMatch(/^closing\n {2}The happy path: /m);
  expect(stdout).toMatch(/^live-demo\n {2}A fundraising in progress/m);
  expect([code, stderr]).toEqual([0, ""]);
  const { stdout: json } = await run(["scenario", "list", "--json"]);
  expect(JSON.parse(json)).toContainEqual({ name: "polling", description: expect.stringContaining("reads"), steps: 3 });
});

test("scenario check prints a valid scenario's contents and its warnings", async () => {
  const cwd = folderWith("steps:\n  - { event: [REGISTRATION COMPLETED, PROFILE REJECTED] }\n");
  const { code, stdout, stderr } = await run(["scenario", "check", "mine.yaml"], { cwd });
  expect(stdout).toBe("mine.yaml: 1 step\n");
  expect(stderr).toMatch(/^warning {2}mine\.yaml:2:14: steps\[0\]\.event is "PROFILE REJECTED"/);
  expect(code).toBe(0);
  expect((await run(["scenario", "check", "busy-day"])).stdout).toBe("busy-day: 6 steps, played 40 times\n");
});

test("scenario check prints every mistake with its place and line", async () => {
  const cwd = folderWith("steps:\n  - { aftr: 2m, event: PAYMENT SUBMITTED }\n  - { after: 2x, sign: all }\n");
  const { code, stdout, stderr } = await run(["scenario", "check", "mine.yaml"], { cwd });
  expect(stderr).toMatch(/^mine\.yaml:2:7: .*"aftr".* Did you mean "after"\?\n.*aftr: 2m.*\n +\^$/m);
  expect(stderr).toMatch(/^mine\.yaml:3:14: .*"2x"/m);
  expect([code, stdout]).toEqual([2, ""]);
});

test("scenario check and fixture check print their findings as JSON, with the exit code", async () => {
  const cwd = folderWith("steps:\n  - { event: PROFILE REJECTED }\n");
  const check = async (...line: string[]): Promise<unknown[]> => {
    const { code, stdout, stderr } = await run([...line, "--json"], { cwd });
    return [code, stderr, JSON.parse(stdout)];
  };
  const warning = { line: 2, column: 14, message: expect.stringContaining("PROFILE REJECTED") };
  const warned = { file: "mine.yaml", mistakes: [], warnings: [warning] };
  expect(await check("scenario", "check", "mine.yaml")).toEqual([0, "", warned]);
  writeFileSync(join(cwd, "mine.json"), '{"offerings": [\n{"nam": 1}]}');
  const mistake = { line: 2, column: 2, message: expect.stringContaining('"nam"') };
  const mistaken = { file: "mine.json", mistakes: [mistake], warnings: [] };
  expect(await check("fixture", "check", "mine.json")).toEqual([2, "", mistaken]);
});

test("an unknown scenario is reported with the nearest name, and an unreadable file by its error", async () => {
  const unknown = await run(["scenario", "show", "clsoing"]);
  expect(unknown.stderr).toContain('There is no scenario "clsoing". Did you mean "closing"?');
  expect(unknown.code).toBe(2);
  const unreadable = await run(["scenario", "check", "nowhere.yaml"]);
  expect(unreadable.stderr).toBe("nowhere.yaml cannot be read: there is no such file.\n");
  expect(unreadable.code).toBe(1);
});

test("scenario show draws the steps and the states", async () => {
  const cwd = folderWith(`description: A short one.
investment: { amount: 100 }
steps:
  - event: SUBSCRIPTION SUBMITTED
    investment: { step: SIGNERS }
  - { after: 90m, sign: all, payment: { alias: card, amount: 100 } }
  - { after_reads: 2, payment: { alias: card, status: succeeded } }
  - { after: 1s, fault: { match: { path: /investments/* }, respond: { status: 503 }, for: 30s, times: 1 } }
  - { next: true, event: PAYMENT APPROVED, investment: { step: null, status: CLOSED } }
`);
  const { code, stdout } = await run(["scenario", "show", "mine.yaml"], { cwd });
  expect(stdout).toBe(`mine
  A short one.

  Plays on a new investment of 100 in the first offering.

  step  when              since the start  what happens
  1     at once           0 s              event SUBSCRIPTION SUBMITTED
                                           investment: step SIGNERS
  2     1 h 30 min later  1 h 30 min       everybody signs
                                           payment card: amount 100
  3     after 2 reads     ?                payment card: status succeeded
  4     1 s later         ? + 1 s          fault for /investments/*: status 503 once, for 30 s
  5     on command        ?                event PAYMENT APPROVED
                                           investment: no step, status CLOSED

States
            start   1       2         3   4 5
  status    PENDING ────────────────────────CLOSED
  step      null ───SIGNERS ────────────────null ──
  signed    nobody ─────────everybody ─────────────
  paid      0 ────────────────────────100 ─────────
`);
  expect(code).toBe(0);
});
