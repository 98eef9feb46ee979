import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { Socket } from "node:net";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { parse } from "yaml";
import { plannedRequests } from "../../calibrate/service/plan.ts";
import type { CalibrationReport } from "../../calibrate/report.ts";
import { openSender, type Outgoing } from "../../calibrate/service/send.ts";
import type { Log } from "../../src/cli/output/log.ts";
import { loadSettings, sandboxOptions } from "../../src/cli/settings/load.ts";
import type { LocalSandbox, SandboxOptions } from "../../src/index.ts";
import { type CommandResult, launch, run, temporaryFolder } from "../cli/cli.ts";
import { calibrateSandbox, subjectOf } from "./calibrated.ts";
import { listenUntilTestEnds } from "../support/listening.ts";
import { startForTest } from "../support/sandbox.ts";

const [configName, reportName] = ["offering-sandbox.config.yaml", "offering-sandbox.calibration.json"];

const open = (options: SandboxOptions = {}): Promise<LocalSandbox> => startForTest({ scenarios: [], ...options });

/** Runs `calibrate` against a sandbox in a folder, with its keys in the variable. */
async function calibrated(sandbox: LocalSandbox, cwd: string, ...more: string[]): Promise<CommandResult> {
  const { url, offering, keys } = await subjectOf(sandbox);
  await sandbox.limits.clear();
  const args = ["calibrate", "--url", url.href, "--offering", offering, "--pace", "0ms", "--sample", "4", ...more];
  const result = await run(args, { cwd, env: { OFFERING_SANDBOX_REAL_KEYS: keys.join(" ") } });
  for (const key of keys) expect(JSON.stringify(result)).not.toContain(key);
  return result;
}

/** Removes the line with the flags of the command from a config. */
const withoutAgain = (text: string): string => text.replace(/^# Again: .*$/m, "");

/** Starts a sandbox with the settings of a config file. */
async function opened(config: string): Promise<LocalSandbox> {
  const loaded = await loadSettings([{ setting: "config", text: config, place: "--config" }], [], {});
  return open({ ...sandboxOptions(loaded, { request() {} } as unknown as Log), port: 0, clock: "fixture", speed: 0 });
}

test("a calibrated config starts a sandbox that calibrates to the same file; --check reports a later change", async () => {
  const assumptions = {
    "list.order": "-modify_date",
    "errors.body": "problem",
    "ids.case": "exact",
  };
  const service = await open({ profile: "minimal", assumptions });
  const [cwd, again] = [temporaryFolder(), temporaryFolder()];
  const first = await calibrated(service, cwd);
  expect(first).toMatchObject({
    code: 0,
    stderr: "20 requests of at most 71…\n40 requests of at most 71…\n",
  });
  expect(first.stdout).toMatch(/^keys {12}key 1: partner, key 2: marketing/);
  expect(first.stdout).toContain("list.order=-modify_date");
  expect(first.stdout).toMatch(/^undetermined \d+ +errors.method: .*--with-options$/m);
  expect(first.stdout).toMatch(/\d+ requests in \d+ s\.\nWrote offering-sandbox\.config\.yaml and /);
  const config = readFileSync(join(cwd, configName), "utf8");
  expect(config).toMatch(/^# Calibrated \d{4}-\d\d-\d\d against localhost, \d+ requests\.\n# Again: /);
  expect(config).toContain("list.order: -modify_date # high: 100 of 100 items by -modify_date");

  const sandbox = await opened(join(cwd, configName));
  expect((await sandbox.assumptions.list()).find(({ id }) => id === "ids.case")).toMatchObject({
    value: "exact",
    source: "calibrated",
  });
  await calibrated(sandbox, again);
  expect(withoutAgain(readFileSync(join(again, configName), "utf8"))).toBe(withoutAgain(config));

  expect(await calibrated(sandbox, cwd, "--check")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\nUnchanged since \d{4}/) as string,
  });
  const partly = await calibrated(sandbox, cwd, "--check", "--max-requests", "1");
  expect([partly.code, partly.stdout]).toEqual([1, expect.stringMatching(/list\.order: could not check/)]);
  expect(partly.stdout).toMatch(/\nCould not check all of the report/);
  // A report that decides fewer rows does not replace one that decides more.
  const fuller = readFileSync(join(cwd, reportName), "utf8");
  expect((await calibrated(sandbox, cwd, "--max-requests", "3")).stderr).toMatch(/stay as they are/);
  expect(readFileSync(join(cwd, reportName), "utf8")).toBe(fuller);
  await sandbox.assumptions.set({ "list.past_end": "404", "status.document": "flat" });
  const { code, stdout } = await calibrated(sandbox, cwd, "--check");
  expect(code).toBe(3);
  expect(stdout).toMatch(
    /^differs 2 +status\.document: resource-without-date, now flat\n +list\.past_end: empty, now 404\nkeys /,
  );
  expect(readFileSync(join(cwd, configName), "utf8")).toBe(config);
});

test('the line after "Again:" checks the report without changes, and contains no key', async () => {
  const sandbox = await open();
  const cwd = temporaryFolder();
  const { keys } = await subjectOf(sandbox);
  writeFileSync(join(cwd, "our keys.txt"), keys.join("\n"));
  const args = ["--key-file", "our keys.txt", "--report", "real.json", "--max-requests", "60", "--with-options"];
  await calibrated(sandbox, cwd, ...args);
  const [, line = ""] = /^# Again: offering-sandbox (.*)$/m.exec(readFileSync(join(cwd, configName), "utf8")) ?? [];
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([word, quoted]) => quoted ?? word);
  const { code, stdout } = await run(words, { cwd });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/\nUnchanged since \d{4}/)]);
});

test("if the common form of two errors changes, that is one difference", async () => {
  const sandbox = await open({ assumptions: { "errors.body": "message" } });
  const cwd = temporaryFolder();
  await calibrated(sandbox, cwd);
  await sandbox.assumptions.set({ "errors.body": "jsonapi" });
  const { code, stdout } = await calibrated(sandbox, cwd, "--check");
  expect([code, stdout]).toEqual([3, expect.stringMatching(/^differs 1 +errors\.body: message, now jsonapi\nkeys /)]);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends a calibration with a sentence", async (signal, expected) => {
  const port = await listenUntilTestEnds(
    createServer(() => running.child.kill(signal)),
    "localhost",
  );
  const [, , ...offering] = there("localhost");
  const args = ["calibrate", "--url", `http://localhost:${port}/api/v1`, ...offering];
  const running = launch(args, { env: { OFFERING_SANDBOX_REAL_KEYS: "secret" } });
  const [code] = (await once(running.child, "close")) as [number | null];
  expect([code, running.stderr]).toEqual([expected, expect.stringMatching(/Interrupted after 1 request\. Nothing/)]);
});

test("a dry run opens no socket, and lists every request of the real run", async () => {
  const sandbox = await open();
  const { url, offering, keys } = await subjectOf(sandbox);
  const connect = vi.spyOn(Socket.prototype, "connect");
  const where = ["calibrate", "--url", "https://demo.example.com/api/v1", "--offering", offering, "--with-options"];
  const { code, stdout } = await run([...where, "--dry-run"]);
  expect([code, connect.mock.calls]).toEqual([0, []]);
  connect.mockRestore();
  expect(stdout).toContain(
    "Would send at most 88 requests to demo.example.com, one a second, with a key in Authorization",
  );

  const planned = plannedRequests({ sampleSize: 5, keyCount: 2, withOptions: true });
  for (const { path } of planned) expect(stdout).toContain(path);
  const asJson = JSON.parse((await run([...where, "--dry-run", "--json"])).stdout);
  expect(asJson).toMatchObject({
    max_requests: 88,
    requests: expect.arrayContaining([expect.objectContaining({ path: "/offerings/{offering}", max_requests: 2 })]),
  });
  const sender = openSender();
  const requests: Outgoing[] = [];
  const recording = { ...sender, send: (outgoing: Outgoing) => (requests.push(outgoing), sender.send(outgoing)) };
  await calibrateSandbox(sandbox, { sampleSize: 5, withOptions: true, sender: recording });
  const remaining = new Map(planned.map((request) => [request, request.maxRequests]));
  for (const { method, url: address, headers } of requests) {
    const path = decodeURI(address.href).slice(url.href.length);
    const exactFirst = planned.toSorted(
      (left, second) => Number(/sample/.test(left.path)) - Number(/sample/.test(second.path)),
    );
    const uses = exactFirst.filter(
      (request) => request.method === method && pattern(request.path, offering).test(path),
    );
    const use = uses.find((request) => (remaining.get(request) ?? 0) > 0);
    expect(use, `${method} ${path}`).toBeDefined();
    if (use) remaining.set(use, (remaining.get(use) ?? 0) - 1);
    const { Authorization: authorization = "Bearer ", ...rest } = headers;
    expect(authorization).toMatch(new RegExp(`^(Bearer |[Bb]earer (${keys.join("|")}))$`));
    expect(Object.keys(rest)).toEqual(
      headers["Origin"] === undefined ? ["User-Agent", "Accept"] : ["User-Agent", "Accept", "Origin"],
    );
  }
  const paths = requests.map(({ url: address }) => decodeURI(address.href).slice(url.href.length));
  const unused = planned.filter((request) => !paths.some((path) => pattern(request.path, offering).test(path)));
  // This request is only needed if the service accepts too large sizes.
  expect(unused.map(({ id }) => id)).toEqual(["over_max_next"]);
});

/** Matches the concrete paths of a path with placeholders. */
function pattern(path: string, offering: string): RegExp {
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[?.[\]]/g, String.raw`\$&`));
  const filled = path.includes("{offering}")
    ? [parts[0] ?? "", parts.slice(1).join("[\\w-]+")].join(offering)
    : parts.join("[\\w-]+");
  return new RegExp(`^${filled}$`);
}

test("an existing config file is not changed, and its calibrated members are printed", async () => {
  const sandbox = await open({ assumptions: { "list.past_end": "404" } });
  const cwd = temporaryFolder();
  const config = join(cwd, configName);
  const ours = "# ours\nport: 4200 # the team's\nassume:\n  list.past_end: empty # old\n";
  writeFileSync(config, ours);
  const { code, stdout } = await calibrated(sandbox, cwd);
  const [message = "", block = ""] = stdout.split("Its members assume and calibrated, by this run:\n\n");
  expect([code, message]).toEqual([
    0,
    expect.stringMatching(/\nWrote .*calibration\.json\. .*config\.yaml stays as it is\. $/),
  ]);
  expect(readFileSync(config, "utf8")).toBe(ours);
  expect(parse(block)).toMatchObject({
    assume: { "list.past_end": "404" },
    calibrated: { host: "localhost", confidence: { "list.past_end": "high" } },
  });
  // The printed text is the text of a new file, in the format that the name of the file asks for.
  const fresh = temporaryFolder();
  await calibrated(sandbox, fresh);
  expect(withoutAgain(readFileSync(join(fresh, configName), "utf8")).trim()).toBe(withoutAgain(block).trim());
  await calibrated(sandbox, fresh, "--out", "settings.json");
  expect(JSON.parse(readFileSync(join(fresh, "settings.json"), "utf8"))).toEqual(parse(block));
});

test("output, config and report contain no value of the service's data", async () => {
  const marker = "Zqmarkerqz";
  const all = (...names: string[]) => Object.fromEntries(names.map((name) => [name, marker]));
  const person = { ...all("first_name", "middle_name", "last_name"), email: `${marker}@example.com` };
  const address = ["street_1", "street_2", "city", "state", "postal_code", "country_code"];
  const investor = {
    ...person,
    ...all(...address.map((name) => `address_${name}`), "company", "tax_id", "ein", "ta_account_type", "ta_sub_type"),
    citizenship: "ZQMARKER",
    accredited: true,
    annual_income: 739173,
    birthdate: "1973-07-31",
    is_signer: true,
  };
  const date = "2019-07-31T17:37:19.373Z";
  const investments = Array.from({ length: 9 }, (_, at) => ({
    id: `7391a739-73${at}0-4739-8739-73917391739a`,
    amount: 7391.73,
    price: 7391.73,
    quantity: 1,
    broker: "7391b739-7390-4739-8739-73917391739b",
    investors: [investor, { ...investor, birthdate: null, middle_name: null, is_primary: false }],
    signing_parties: [{ ...person, phone_number: marker, signed: false, status: marker }],
    payments: [{ amount: 7391.73, status: "pending", category: "ZQMARKER" }],
    events: [{ event: "PAYMENT", action: "SUBMITTED", description: marker }],
  }));
  const fixture = { now: date, offerings: [{ name: marker, investments }] };
  const sandbox = await open({ fixture, clock: date });
  const cwd = temporaryFolder();
  const { stdout, code } = await calibrated(sandbox, cwd);
  const json = await calibrated(sandbox, cwd, "--json");
  expect([code, json.code]).toEqual([0, 0]);
  const { offering } = await subjectOf(sandbox);
  const files = [configName, reportName].map((name) => readFileSync(join(cwd, name), "utf8"));
  const written = [stdout, json.stdout, ...files].map(withoutAgain).join("\n");
  for (const value of [/zqmarker/i, /739/, /2019-/, /1973/, /example\.com/, new RegExp(offering)])
    expect(written).not.toMatch(value);
  const { rows } = JSON.parse(json.stdout) as CalibrationReport;
  expect(rows["signing_party.status"]).toMatchObject({
    value: null,
    because: "a word that is not among the common words: set the value yourself",
  });
});

const demo = "--url https://demo.example.com/api/v1";
const right = there("demo.example.com").join(" ");

test.each<[line: string, expected: RegExp]>([
  ["", /needs --url/],
  ["--url http://demo.example.com/api/v1", /expected https/],
  ["--url https://demo.example.com/api/v2", /ends in \/api\/v1/],
  ["--url https://a:secret@demo.example.com/api/v1", /without a user or password/],
  [demo, /needs --offering/],
  [`${demo} --offering aurora`, /expected an id/],
  [`${right} --pace 100ms`, /at least 500ms/],
  [right, /needs a key: --key-file/],
  [there("api.example.com").join(" "), /api\.example\.com does not look like a demo/],
  [`${right} --check`, /there is no offering-sandbox\.calibration\.json/],
  [`${right} secret`, /does not take "…"\./],
  [`${right} --key secret`, /There is no flag --…\./],
  [`${right} --keysecret`, /There is no flag --…\./],
  ["--hlp", /There is no flag --hlp\. Did you mean "--help"\?/],
  [`${right} --key-file=secret`, /cannot be read: there is no such file\./],
  [`${right} --json=secret`, /--json: expected .*, not "…"\./],
  [`${right} --sample=secret`, /--sample: expected .* 40\./],
  [`${right} --out none/a.yaml`, /there is no writable folder for none/],
  [`${right} --report .`, /\. is a folder; expected a file/],
  [`${right} --out a.json --report ./a.json`, /two different files/],
])("calibrate %s is refused before a request is sent", async (line, expected) => {
  const connect = vi.spyOn(Socket.prototype, "connect");
  const keys = expected.source.includes("needs a key") ? "" : "secret";
  const args = ["calibrate", ...line.split(" ").filter(Boolean)];
  const { code, stderr } = await run(args, { env: { OFFERING_SANDBOX_REAL_KEYS: keys } });
  expect(stderr).toMatch(expected);
  expect(stderr).not.toContain("secret");
  expect([code, connect.mock.calls]).toEqual([2, []]);
});

function there(host: string): string[] {
  return ["--url", `https://${host}/api/v1`, "--offering", "00000010-0000-4000-8000-000000000001"];
}

test("a file of keys is read, with comments after #", async () => {
  const sandbox = await open();
  const { url, offering, keys } = await subjectOf(sandbox);
  const cwd = temporaryFolder();
  const where = ["--url", url.href, "--offering", offering, "--key-file", "keys"];
  const line = ["calibrate", ...where, "--max-requests", "2", "--pace", "0"];
  writeFileSync(join(cwd, "keys"), `# both\r\n${keys[0]} # the partner's\n\n  Bearer ${keys[1]}\t#marketing\n`);
  expect(await run(line, { cwd })).toMatchObject({ code: 0, stderr: "" });
});

test("a refused key or an absent service ends the command with 1 and writes nothing", async () => {
  const sandbox = await open();
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "wrong"), "anothersecret");
  const refusal = await calibrated(sandbox, cwd, "--key-file", "wrong");
  expect(refusal).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^Key 1 was refused with 401/) as string,
  });
  expect(refusal.stderr).not.toContain("anothersecret");
  const gone = await calibrated(sandbox, cwd, "--max-requests", "1");
  expect(gone.stdout).toContain("Ended early: the limit of 1 requests.");
  await sandbox.close();
  const [, , ...offering] = there("localhost");
  const line = ["calibrate", "--url", "http://localhost:1/api/v1", ...offering];
  const absent = await run(line, { cwd, env: { OFFERING_SANDBOX_REAL_KEYS: "k" } });
  expect(absent.code).toBe(1);
  expect(existsSync(join(cwd, reportName))).toBe(true);
});
