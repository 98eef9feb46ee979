import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { listenUntilTestEnds } from "../support/listening.ts";
import { launch, launchOnTerminal, runProcess, temporaryFolder } from "./cli.ts";

const node = process.execPath;

test("the command gets the sandbox's address in its variables, and can call it", async () => {
  const script = `
    const { OFFERING_SANDBOX_URL: url, OFFERING_SANDBOX_BASE_URL: base, OFFERING_SANDBOX_ADMIN_URL: admin,
      OFFERING_SANDBOX_MARKETING_KEY: marketing, OFFERING_SANDBOX_PARTNER_KEY: partner, OFFERING_SANDBOX_OFFERING_ID: id } = process.env;
    const ask = async (address, key) => (await fetch(address, { headers: { authorization: "Bearer " + key } })).json();
    const investor = async (key) => {
      const { data: [{ id: first }] } = await ask(base + "/offerings/" + id + "/investments?size=1", key);
      return (await ask(base + "/investments/" + first, key)).included.find(({ type }) => type === "investors").attributes.tax_id;
    };
    const { fixture } = await ask(admin + "/environments/default", "");
    console.log(JSON.stringify([base === url + "/api/v1", await investor(marketing), await investor(partner) !== "[[redacted]]", fixture]));`;
  const result = await runProcess(["exec", "-f", "minimal", "--", node, "--input-type=module", "-e", script]);
  expect(result).toEqual({ code: 0, stdout: '[true,"[[redacted]]",true,"minimal"]\n', stderr: "" });
});

test.each(["error", "warn", "info"])(
  "with --log-level %s, a refused call of the admin API is shown with its reason",
  async (level) => {
    const script = `
    const { OFFERING_SANDBOX_ADMIN_URL: admin, OFFERING_SANDBOX_BASE_URL: base } = process.env;
    const headers = { "content-type": "application/json" };
    await fetch(admin + "/clock/advance", { method: "POST", headers, body: '{"by":"2x"}' });
    await fetch(admin + "/reset", { method: "POST", headers, body: "null" });
    await fetch(base + "/nowhere");`;
    const { code, stderr } = await runProcess([
      "exec",
      "--log-level",
      level,
      "--",
      node,
      "--input-type=module",
      "-e",
      script,
    ]);
    const refusedCalls = stderr.split("\n").filter((line) => line.includes("/__admin/"));
    expect([code, refusedCalls.length > 0]).toEqual([0, true]);
    expect(stderr).toMatch(/^POST {2}400 .* \/__admin\/clock\/advance {2}invalid\n +by is "2x"; expected a duration/m);
    expect([/reset/.test(stderr), /nowhere/.test(stderr)]).toEqual([level === "info", level === "info"]);
  },
);

test("arguments after -- belong to the command, flags included", async () => {
  const script = "console.log(JSON.stringify(process.argv.slice(1)))";
  const { stdout } = await runProcess(["exec", "--", node, "-e", script, "--", "--help", "a b", "-v", "--", "$HOME"]);
  expect(stdout).toBe('["--help","a b","-v","--","$HOME"]\n');
});

test("exec ignores PORT, and passes it on to its command", async () => {
  const usedPort = createServer().listen(0);
  await once(usedPort, "listening");
  onTestFinished(() => void usedPort.close());
  const { port } = usedPort.address() as AddressInfo;
  for (const PORT of [String(port), "/tmp/app.sock"]) {
    const result = await runProcess(["exec", "--", node, "-p", "process.env.PORT"], { env: { PORT } });
    expect(result).toMatchObject({ code: 0, stdout: `${PORT}\n` });
  }
});

test("by default the clock of exec is paused and no scenario plays", async () => {
  const script = `
    const of = async (path) => (await fetch(process.env.OFFERING_SANDBOX_ADMIN_URL + path)).json();
    const [clock, runs] = [await of("/clock"), await of("/runs")];
    console.log(JSON.stringify([clock, runs.data.map(({ scenario }) => scenario)]));`;
  const command = ["--", node, "--input-type=module", "-e", script];
  expect((await runProcess(["exec", ...command])).stdout).toBe('[{"now":"2026-01-15T12:00:00.000Z","speed":0},[]]\n');
  const flags = ["--clock", "2026-03-01T00:00:00Z", "--scenario", "closing"];
  const env = { OFFERING_SANDBOX_SPEED: "0" };
  expect((await runProcess(["exec", ...flags, ...command], { env })).stdout).toBe(
    '[{"now":"2026-03-01T00:00:00.000Z","speed":0},["closing"]]\n',
  );
});

const bin = fileURLToPath(new URL("../../bin/offering-sandbox.js", import.meta.url));

/** A script that starts a sandbox in the folder below, and prints its settings. */
const startScript = (options = "{}"): string => `
  const { startSandbox } = await import(${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)});
  process.chdir("below");
  const sandbox = await startSandbox(${options});
  const { profile, rate_limit, fixture, offerings } = await sandbox.describe();
  const rows = Object.fromEntries((await sandbox.assumptions.list()).map(({ id, value }) => [id, value]));
  console.log(profile, rate_limit, fixture, offerings[0].name, rows["list.order"], rows["list.first_page"]);
  await sandbox.close();`;

test.for([
  ["above the config file", [], startScript(), "minimal 9 own Told -create_date 0"],
  ["through another exec", ["--", node, bin, "exec"], startScript(), "minimal 9 own Told -create_date 0"],
  [
    "below flags of another exec",
    ["--", node, bin, "exec", "--rate-limit", "4"],
    startScript(),
    "minimal 4 own Told -create_date 0",
  ],
  [
    "below the options of a sandbox",
    [],
    startScript(`{ rateLimit: 5, fixture: "minimal", assumptions: { "list.order": "id" } }`),
    "minimal 5 minimal Aurora Robotics id 0",
  ],
] as const)(
  "the flags of exec reach a sandbox that its command starts, %s",
  async ([, innerExec, script, printedLine]) => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, "below"));
    writeFileSync(join(cwd, "package.json"), "{}");
    const assume = { "list.order": "id", "list.first_page": "0" };
    writeFileSync(
      join(cwd, "offering-sandbox.config.json"),
      JSON.stringify({ profile: "conventional", "rate-limit": 7, assume }),
    );
    writeFileSync(join(cwd, "own.json"), JSON.stringify({ offerings: [{ name: "Told" }] }));
    const flags = [
      "--profile",
      "minimal",
      "--assume",
      "list.order=-create_date",
      "--rate-limit",
      "9",
      "-f",
      "own.json",
    ];
    const command = [...innerExec, "--", node, "--input-type=module", "-e", script];
    expect(await runProcess(["exec", ...flags, ...command], { cwd })).toEqual({
      code: 0,
      stdout: `${printedLine}\n`,
      stderr: "",
    });
  },
);

test("flags of exec win over inherited variables, even in the sandboxes that its command starts", async () => {
  const env = {
    OFFERING_SANDBOX_RATE_LIMIT: "3",
    OFFERING_SANDBOX_PROFILE: "minimal",
    OFFERING_SANDBOX_ASSUME: "list.order=id",
  };
  const flags = ["--rate-limit", "9", "--assume", "list.order=-create_date"];
  const { stdout } = await runProcess(
    ["exec", ...flags, "--", node, "--input-type=module", "-e", startScript().replace(`process.chdir("below");`, "")],
    { env },
  );
  expect(stdout).toMatch(/^minimal 9 .* -create_date 1\n$/);
});

test("inherited variables of missing keys are removed", async () => {
  const script = `process.stdout.write(String("OFFERING_SANDBOX_PARTNER_KEY" in process.env))`;
  const cwd = temporaryFolder();
  const keys = [{ type: "marketing", offering: "only" }];
  writeFileSync(join(cwd, "one-key.json"), JSON.stringify({ offerings: [{ alias: "only" }], keys }));
  const env = { OFFERING_SANDBOX_PARTNER_KEY: "stale" };
  const result = await runProcess(["exec", "-f", "one-key.json", "--", node, "-e", script], { cwd, env });
  expect(result).toMatchObject({ code: 0, stdout: "false" });
});

test("with --snapshot-dir, a command that fails leaves a snapshot of each environment, closed ones too; one that passes leaves nothing", async () => {
  const cwd = temporaryFolder();
  const script = `
    const { OFFERING_SANDBOX_BASE_URL: base, OFFERING_SANDBOX_ADMIN_URL: admin, OFFERING_SANDBOX_SNAPSHOT_DIR: cases } = process.env;
    const open = async (label) => (await fetch(admin + "/environments", {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ label }) })).json();
    await open("test_closing.py::test_list");
    for (const label of ["closed", "unused"]) {
      const { id, partner_key } = await open(label);
      if (label === "closed") await fetch(base + "/investments/2", { headers: { authorization: "Bearer " + partner_key } });
      await fetch(admin + "/environments/" + id, { method: "DELETE" });
    }
    await fetch(base + "/investments/1");
    console.log(cases);
    process.exitCode = Number(process.argv[1]);`;
  const command = ["--", node, "--input-type=module", "-e", script];
  expect(await runProcess(["exec", "--snapshot-dir", "new/cases", ...command, "0"], { cwd })).toMatchObject({
    stderr: "",
  });
  expect(readdirSync(cwd)).toEqual([]);
  const failed = await runProcess(["exec", "--snapshot-dir", "new/cases", ...command, "3"], { cwd });
  expect(failed).toEqual({
    code: 3,
    stdout: `${join(realpathSync(cwd), "new", "cases")}\n`,
    stderr: expect.stringMatching(
      /^(?:\S+ .*offering-sandbox (?:replay new\/cases\/(?:default|closed)|start --snapshot new\/cases\/test_closing\.py-test_list)\.json\n){3}$/,
    ),
  });
  expect(new Set(readdirSync(join(cwd, "new/cases")))).toEqual(
    new Set(["closed.json", "default.json", "test_closing.py-test_list.json"]),
  );
});

test("with --snapshot-dir, closed environments are omitted if the tests wrote snapshots themselves", async () => {
  const cwd = temporaryFolder();
  const script = `
    const { connectSandbox } = await import(${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)});
    const { writeFileSync, mkdirSync } = await import("node:fs");
    const { OFFERING_SANDBOX_URL: url, OFFERING_SANDBOX_SNAPSHOT_DIR: cases } = process.env;
    const sandbox = await (await connectSandbox(url)).openEnvironment({ label: "closed" });
    await fetch(sandbox.baseUrl + "/investments/2", { headers: { authorization: "Bearer " + sandbox.keys.partner } });
    await sandbox.close();
    mkdirSync(cases);
    writeFileSync(cases + "/own.json", "");
    process.exitCode = 1;`;
  const { code } = await runProcess(
    ["exec", "--snapshot-dir", "cases", "--", node, "--input-type=module", "-e", script],
    {
      cwd,
    },
  );
  expect([code, new Set(readdirSync(join(cwd, "cases")))]).toEqual([1, new Set(["default.json", "own.json"])]);
});

test.each([
  [0, ["failed.json"]],
  [3, ["default.json", "failed.json", "unknown.json"]],
])(
  "with --snapshot-dir, a command that ends with %i leaves no snapshot of a test that reported to have passed",
  async (exitCode, files) => {
    const cwd = temporaryFolder();
    const script = `
    const { connectSandbox } = await import(${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)});
    const server = await connectSandbox(process.env.OFFERING_SANDBOX_URL);
    for (const [label, outcome] of [["passed", "passed"], ["failed", "failed"], ["unknown"]]) {
      const sandbox = await server.openEnvironment({ label });
      if (label !== "failed") await fetch(sandbox.baseUrl, { headers: { authorization: "Bearer " + sandbox.keys.partner } });
      await sandbox.close({ outcome });
    }
    process.exitCode = ${exitCode};`;
    const args = ["exec", "--snapshot-dir", "cases", "--", node, "--input-type=module", "-e", script];
    const { code, stderr } = await runProcess(args, { cwd });
    const replays = Array.from(stderr.matchAll(/ (?:replay|start --snapshot) cases\/(.*)$/gm), ([, file = ""]) => file);
    expect([code, replays.toSorted(), readdirSync(join(cwd, "cases")).toSorted()]).toEqual([exitCode, files, files]);
  },
);

test.each<[script: string, flags: string[], isSaid: boolean]>([
  ["process.exit(0)", [], true],
  ["process.exit(1)", [], true],
  ["await fetch(process.env.OFFERING_SANDBOX_BASE_URL)", [], false],
  ["await fetch(process.env.OFFERING_SANDBOX_ADMIN_URL + '/clock')", [], false],
  ["process.kill(process.pid, 'SIGTERM')", [], false],
  // Its requests may have gone to sandboxes of its own, for which these flags are too.
  ["process.exit(0)", ["--profile", "minimal"], false],
  ["process.exit(0)", ["--snapshot-dir", "cases"], false],
  ["process.exit(0)", ["--log-level", "error"], false],
])("exec warns that the command %j with the flags %j sent no request: %s", async (script, flags, isWarned) => {
  const args = ["exec", ...flags, "--", node, "--input-type=module", "-e", script];
  const { stderr } = await runProcess(args, { cwd: temporaryFolder() });
  const warning = /^warning {2}The command sent no request .* OFFERING_SANDBOX_BASE_URL, .*\n$/;
  expect(stderr).toEqual(isWarned ? expect.stringMatching(warning) : "");
});

test.for([
  ["the command's own", [node, "-e", "process.exit(7)"], 7],
  ["128 and the signal's number when one ended it", [node, "-e", "process.kill(process.pid, 'SIGKILL')"], 137],
  ["127 when there is no such command", ["offering-sandbox-has-no-such-command"], 127],
] as const)("the exit code is %s", async ([, command, code]) => {
  expect((await runProcess(["exec", "--", ...command])).code).toBe(code);
});

test("exec ends with its command, even if a child of the command still runs", async () => {
  const script = `
    const { OFFERING_SANDBOX_BASE_URL: base, OFFERING_SANDBOX_ADMIN_URL: admin, OFFERING_SANDBOX_PARTNER_KEY: key,
      OFFERING_SANDBOX_OFFERING_ID: id } = process.env;
    fetch(base + "/offerings/" + id, { headers: { authorization: "Bearer " + key } });
    const counted = async () => (await (await fetch(admin + "/limits")).json()).data.some(({ used }) => used === 1);
    while (!(await counted())) {}
    process.exit(3);`;
  const flags = ["--delay", "600000", "-f", "minimal"];
  const result = await runProcess(["exec", ...flags, "--", node, "--input-type=module", "-e", script]);
  expect(result).toEqual({ code: 3, stdout: "", stderr: "" });
});

test.for(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s is passed on to the command, whose exit code counts",
  async (signal) => {
    const phone = await Phone.open();
    const script = `process.on("${signal}", () => process.exit(9)); ${phone.call("command")}`;
    const running = launch(["exec", "--", node, "-e", script]);
    const command = await phone.caller("command");
    const pendingClose = once(command, "close");
    expect(await running.stop(signal)).toBe(9);
    await pendingClose;
  },
);

/** A command and its child process, which both ignore signals. */
function stubbornFamily(phone: Phone): string[] {
  const ignore = `for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});`;
  const child = `${ignore} ${phone.call("child")}`;
  const parent = `${ignore} ${phone.call("parent")}
    require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: "ignore" });`;
  return ["exec", "--", node, "-e", parent];
}

test.for([
  ["exec, signalled twice", async (pid: number) => void [process.kill(pid, "SIGINT"), process.kill(pid, "SIGTERM")]],
  ["the command, killed", async (_: number, command: number) => void process.kill(command, "SIGKILL")],
] as const)("no process is left after %s", async ([, end]) => {
  const phone = await Phone.open();
  const running = launch(stubbornFamily(phone));
  const callers = [await phone.caller("parent"), await phone.caller("child")];
  const pendingExits = [once(running.child, "exit"), ...callers.map((caller) => once(caller, "close"))];
  await end(running.child.pid ?? 0, phone.pid("parent"));
  await Promise.all(pendingExits);
});

test("on a terminal Ctrl-C reaches the command once, and a second one ends it", async () => {
  const phone = await Phone.open();
  const script = `let times = 0; process.on("SIGINT", async () => {
      times++; await fetch(process.env.OFFERING_SANDBOX_URL); console.log("interrupted " + times); }); ${phone.call("command")}`;
  const running = launchOnTerminal(["exec", "--", node, "-e", `'${script.replaceAll(/\s+/g, " ")}'`]);
  const command = await phone.caller("command");
  const pendingClose = once(command, "close");
  running.child.stdin?.write("\u0003");
  await running.line((line) => line.includes("interrupted 1"));
  running.child.stdin?.write("\u0003");
  await pendingClose;
  expect(running.lines.join("\n")).not.toContain("interrupted 3");
});

/** A server that test processes connect to while they run; a closed connection shows that its process is gone. */
class Phone {
  readonly #port: number;
  readonly #callers = new Map<string, { socket: Socket; pid: number }>();
  #called: () => void = () => {};

  private constructor(server: Server, port: number) {
    this.#port = port;
    server.on("connection", (socket) => {
      socket.on("error", () => {});
      createInterface(socket).on("line", (line) => {
        const [name = "", pid] = line.split(" ");
        this.#callers.set(name, { socket, pid: Number(pid) });
        this.#called();
      });
    });
  }

  static async open(): Promise<Phone> {
    const server = createServer();
    return new Phone(server, await listenUntilTestEnds(server));
  }

  /** A script that connects to the server, and whose process continues to run. */
  call(name: string): string {
    return `require("node:net").connect(${this.#port}, "127.0.0.1").write("${name} " + process.pid + "\\n");`;
  }

  async caller(name: string): Promise<Socket> {
    for (;;) {
      const caller = this.#callers.get(name);
      if (caller) return caller.socket;
      await new Promise<void>((resolve) => (this.#called = resolve));
    }
  }

  pid(name: string): number {
    return this.#callers.get(name)?.pid ?? 0;
  }
}

const hasTerminal = process.platform === "linux" && existsSync("/usr/bin/script");

test.runIf(hasTerminal)(
  "on a terminal exec prints the portal's address, again when its command has cleared the screen",
  async () => {
    const cwd = temporaryFolder();
    const script = `
    console.log("cleared");
    await fetch(process.env.OFFERING_SANDBOX_BASE_URL + "/x");
    await fetch(process.env.OFFERING_SANDBOX_BASE_URL + "/x");
    console.log("called");
    process.stdin.once("data", () => process.exit());`;
    writeFileSync(join(cwd, "command.mjs"), script);
    const args = ["exec", "--", process.execPath, "command.mjs"];
    const running = launchOnTerminal(args, { cwd, env: { CI: "", NO_COLOR: "1" } });
    const lines = (await running.linesTo((text) => text.trim() === "called")).map((text) => text.trim());
    const portalLine = expect.stringMatching(/^offering-sandbox: portal http:\/\/localhost:\d+\/$/);
    expect(lines).toEqual([portalLine, "cleared", portalLine, "called"]);
    running.child.stdin?.write("\n");
    await once(running.child, "close");

    for (const [flags, CI] of [
      [[], "true"],
      [["--no-admin"], ""],
      [["--log-level", "error"], ""],
    ] as const) {
      const quietCommand = launchOnTerminal(["exec", ...flags, "--", "echo", "done"], { cwd, env: { CI } });
      expect((await quietCommand.line(() => true)).trim()).toBe("done");
    }
  },
);
