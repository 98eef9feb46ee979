import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EnvironmentDescription, FaultDescription, LimitDescription } from "../../src/control.ts";
import { openToAsk, temporaryFolder } from "./cli.ts";

test("faults, limits and keys are changed with short commands and aliases", async () => {
  const { ready, ask, json } = await openToAsk();
  const { id: offering } = ready.environment.offerings[0] ?? {};
  const secretOf = (alias: string): string => ready.environment.keys.find((key) => key.alias === alias)?.key ?? "";
  const call = async (path: string, alias = "aurora-partner"): Promise<string> => {
    const headers = { authorization: `Bearer ${secretOf(alias)}` };
    const response = await fetch(ready.base_url + path, { headers });
    return `${response.status} ${response.headers.get("retry-after") ?? ""} ${await response.text()}`;
  };
  const list = `/offerings/${offering}/investments`;

  const { stdout } = await ask(
    "faults add --path */investments* --status 503 --times 2 --header Retry-After:7 --body down",
  );
  expect(stdout).toMatch(
    /^id +status +used +does\nfault-1 +active +0 +\S+investments\*: status 503 \(Retry-After: 7, a body\) 2 times\n$/,
  );
  expect(await call(`/offerings/${offering}`)).toMatch(/^200 /);
  expect([await call(list), await call(list)]).toEqual(["503 7 down", "503 7 down"]);
  expect(await call(list)).toMatch(/^200 /);
  expect((await ask("faults list")).stdout).toMatch(/\nfault-1 +over +2 /);
  const cwd = temporaryFolder();
  await writeFile(join(cwd, "body.json"), '{"errors": []}');
  await ask("faults add --status 500 --key aurora-partner --method GET --body @body.json", { cwd });
  expect(await call(list)).toBe('500  {"errors":[]}');
  expect(await call(list, "aurora-marketing")).toMatch(/^200 /);
  expect(await ask("faults remove fault-2")).toMatchObject({ code: 0, stdout: "Removed.\n" });
  expect(((await json("faults list")) as FaultDescription[]).map(({ id }) => id)).toEqual(["fault-1"]);
  await ask("faults add --connection reset");
  expect(await json("faults remove")).toBeNull();
  expect(await json("faults add --delay 1ms..3000 --for PT90S --share 0.5")).toMatchObject({
    delay: "1ms..3000",
    share: 0.5,
    until: "2026-01-15T12:01:30.000Z",
  });
  expect((await ask("faults add --truncate 0.5 --times 1")).stdout).toContain("body cut off after 50 % once\n");
  expect(await json("faults add --drip 100/1s --delay 1s")).toMatchObject({ drip: { bytes: 100, every: "1s" } });
  expect((await ask("faults add --drip 100/soon")).stderr).toMatch(/^drip\.every is "soon"; expected a duration/);
  expect((await ask("faults add --drip 100")).stderr).toBe(
    '--drip: expected bytes and a duration such as "100/1s", not 100.\n',
  );
  await ask("faults remove");
  expect((await ask("faults list")).stdout).toBe("No faults.\n");
  for (const line of ["faults add", "faults add --times 2", "faults add --body x", "faults add --status 42"])
    expect((await ask(line)).code).toBe(2);
  expect((await ask("faults add --delay 3s..1s --for 2x --share 2")).stderr.split("\n")).toEqual([
    expect.stringMatching(/^--delay: expected a duration .*, not "3s\.\.1s"\.$/),
    expect.stringMatching(/^--for: expected a duration .*, not "2x"\.$/),
    "--share: expected a share from 0 to 1, not 2.",
    "",
  ]);
  expect((await ask("faults remove fault-9")).stderr).toBe('There is no fault "fault-9".\n');

  expect((await ask("limits set aurora-partner")).stdout).toMatch(
    /^key +used +resets in\naurora-partner +120 of 120\n$/,
  );
  expect(await call(list)).toMatch(/^429 60/);
  expect(((await json("limits list")) as LimitDescription[]).map(({ used }) => used)).toContain(121);
  expect((await ask("limits clear")).stdout).toBe("Cleared.\n");
  expect(await json("limits set aurora-partner --used 5")).toMatchObject({ used: 5 });

  expect((await ask(`keys revoke ${secretOf("aurora-partner")}`)).stdout).toContain("revoked");
  expect(await call(list)).toMatch(/^401 /);
});

test("investments, runs and environments are listed, shown and ended", async () => {
  const { ask, json } = await openToAsk();
  const { stdout: listed } = await ask("investments list --offering aurora --status PENDING --limit 2");
  expect(listed).toMatch(
    /^offering +number +alias or id +status +amount +created +investors\n(.+ PENDING .+\n){2}2 of \d+; more with/,
  );
  const after = /--after (\S+)/.exec(listed)?.[1];
  expect((await ask(`investments list --offering aurora --status PENDING --after ${after}`)).code).toBe(0);
  expect((await ask("investments list --search nobody-has-this")).stdout).toBe("No investments.\n");
  expect((await ask("investments show at-signers")).stdout).toMatch(
    /step +SIGNERS[^]*\ninvestors\n[^]*not signed[^]*\nevents\n/,
  );
  expect(await json("investments show at-signers")).toMatchObject({ alias: "at-signers", step: "SIGNERS" });

  const change = "investments change at-signers";
  const set = "--set investors.0.first_name=Augusta --set investors.0.annual_income=null --set amount=5000";
  expect(await json(`${change} ${set}`)).toMatchObject({
    amount: 5000,
    investors: [{ first_name: "Augusta", annual_income: null }],
  });
  expect((await ask("investments list --search augusta")).stdout).toContain("at-signers");
  expect((await ask(change)).stderr).toMatch(/^investments change needs --set: a member and its value, such as /);
  expect((await ask(`${change} --set amount`)).stderr).toMatch(/^--set: expected a member and its value, such as /);
  expect((await ask(`${change} --set investors.9.email=a`)).stderr).toMatch(
    /^--set investors\.9\.email: the investment has investors\.0/,
  );
  expect((await ask(`${change} --set investors.0.emial=a`)).stderr).toBe(
    'investors[0] has no member "emial". Did you mean "email"?\n',
  );

  expect((await ask("runs list")).stdout).toBe("No runs.\n");
  await ask("scenario play closing --investment at-signers");
  expect((await ask("runs list")).stdout).toMatch(/\nrun-1 +closing +running +1 investment +\d of \d+ steps +20\d\d-/);
  expect((await ask("runs stop run-1")).stdout).toContain("closing, stopped");
  expect((await ask("runs stop run-2")).stderr).toBe('There is no run "run-2". Did you mean "run-1"?\n');

  const { stdout: opened } = await ask("environments open mine --fixture minimal --label test");
  expect(opened).toMatch(/^environment +mine\nbase address +http:\S+\/api\/v1\nportal +http:\S+\/#\/mine\n\nkey /);
  expect((await ask("environments list")).stdout).toMatch(/\nmine +minimal +\S+Z, frozen +test\n/);
  const { keys } = (await json("environments open")) as EnvironmentDescription;
  expect(keys.length).toBeGreaterThan(1);
  expect((await ask("limits set aurora-partner --environment mine")).code).toBe(0);
  expect((await ask("environments close mine")).stdout).toBe("Closed.\n");
  expect((await ask("environments close mine")).code).toBe(1);
});

test("an environment from a snapshot goes on at its time, speed and rate limit, unless others are given", async () => {
  const { ask, json } = await openToAsk({ rateLimit: 7 });
  const cwd = temporaryFolder();
  const snapshot = join(cwd, "state.json");
  await ask("clock set 2027-03-01 --speed 0.000001");
  await ask(`snapshot ${snapshot}`);
  await ask("clock set fixture --speed 0");
  const opened = async (line: string): Promise<unknown> => {
    const { clock, rate_limit } = (await json(line)) as EnvironmentDescription;
    return { day: clock.now.slice(0, 10), speed: clock.speed, rate_limit };
  };
  const before = { day: "2027-03-01", speed: 0.000001, rate_limit: 7 };
  expect(await opened(`environments open same --snapshot ${snapshot}`)).toEqual(before);
  const other = `environments open other --snapshot ${snapshot} --clock fixture --speed 0 --rate-limit 9`;
  expect(await opened(other)).toEqual({ day: "2026-01-15", speed: 0, rate_limit: 9 });
  expect(await opened("environments open fresh")).toEqual({ day: "2026-01-15", speed: 0, rate_limit: 7 });
});
