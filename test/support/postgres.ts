import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, describe, onTestFinished } from "vitest";
import { freePort } from "./free-port.ts";

/** Finds the folder with the programs of PostgreSQL: the newest of Debian, or a folder of the path. */
function programFolder(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian)
    ? readdirSync(debian).toSorted((left, right) => Number(right) - Number(left))
    : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, "initdb")));
}

const programs = programFolder();

/** A suite of tests with PostgreSQL: omitted where it is not installed, but never in CI. */
export const describeWithPostgres = describe.skipIf(programs === undefined && !process.env["CI"]);

const bouncer = ["/usr/sbin", ...(process.env["PATH"] ?? "").split(delimiter)]
  .map((folder) => join(folder, "pgbouncer"))
  .find((program) => existsSync(program));

/** A suite of tests with PostgreSQL and PgBouncer: omitted where one is not installed, but never in CI. */
export const describeWithPgBouncer = describe.skipIf(
  (programs === undefined || bouncer === undefined) && !process.env["CI"],
);

/** Returns the user of the servers: PostgreSQL and PgBouncer refuse to run as root. */
function userOfServer(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid = 0, gid = 0] = ["-u", "-g"].map((flag) =>
    Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" })),
  );
  return { uid, gid };
}

/** How PostgreSQL ends: it closes its sessions, or leaves everything as after a crash. */
type Ending = "fast" | "immediate";

/** The user `sandbox` needs no password; the user `guarded` does. */
const access = "host all guarded 127.0.0.1/32 scram-sha-256\nhost all,replication all 127.0.0.1/32 trust\n";

/** A PgBouncer in front of a cluster. */
interface Bouncer {
  /** The address of a schema through it. */
  readonly address: Cluster["address"];
  readonly stop: () => Promise<void>;
}

/** A server of PostgreSQL with its own folder. */
export class Cluster {
  readonly folder: string;
  readonly port: number;
  readonly #user = userOfServer();
  #server: ChildProcess | undefined;
  #schemas = 0;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
    if (this.#user.uid !== undefined && this.#user.gid !== undefined) chownSync(folder, this.#user.uid, this.#user.gid);
  }

  /** Creates an empty cluster and starts it. */
  static async create(): Promise<Cluster> {
    const cluster = await Cluster.#inNewFolder();
    const options = "-U sandbox -A trust -E UTF8 --locale=C --no-sync".split(" ");
    cluster.#run("initdb", ["-D", cluster.data, ...options]);
    // The setting only matters if the machine crashes.
    appendFileSync(join(cluster.data, "postgresql.conf"), "\nfsync = off\nmax_connections = 200\n");
    writeFileSync(join(cluster.data, "pg_hba.conf"), access);
    await cluster.start();
    return cluster;
  }

  /** Creates a standby, which follows another cluster asynchronously. */
  static async createStandby(primary: Cluster): Promise<Cluster> {
    const standby = await Cluster.#inNewFolder();
    const from = ["-h", "127.0.0.1", "-p", String(primary.port), "-U", "sandbox"];
    standby.#run("pg_basebackup", [...from, "-D", standby.data, "-R", "--no-sync", "-c", "fast"]);
    await standby.start();
    return standby;
  }

  static async #inNewFolder(): Promise<Cluster> {
    return new Cluster(mkdtempSync(join(tmpdir(), "offering-sandbox-postgres-")), await freePort());
  }

  get data(): string {
    return join(this.folder, "data");
  }

  /** Returns the address of a schema that no other test uses; empty until a sandbox starts over it. */
  newAddress(): string {
    return this.address(`test_${++this.#schemas}`);
  }

  address(schema: string, user = "sandbox"): string {
    return `postgres://${user}@127.0.0.1:${this.port}/postgres?schema=${schema}`;
  }

  /** Starts the server if it does not run, and waits until it responds. */
  async start(): Promise<void> {
    if (this.#server?.exitCode === null && this.#server.signalCode === null) return;
    const log = join(this.folder, "log");
    const output = openSync(log, "a");
    const settings = ["port", "listen_addresses", "unix_socket_directories"] as const;
    const values = [this.port, "127.0.0.1", ""];
    const options = settings.flatMap((name, index) => ["-c", `${name}=${values[index]}`]);
    const server = this.#spawn("postgres", ["-D", this.data, ...options], output);
    this.#server = server;
    const kill = (): void => void server.kill("SIGQUIT");
    process.once("exit", kill);
    server.once("exit", () => process.off("exit", kill));
    for (;;) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL has ended:\n${readFileSync(log, "utf8")}`);
      const responses = await this.query("select 1").then(
        () => true,
        () => false,
      );
      if (responses) return;
      await wait(20);
    }
  }

  async stop(ending: Ending = "fast"): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, "exit");
    server.kill(ending === "fast" ? "SIGINT" : "SIGQUIT");
    await exited;
  }

  async restart(ending: Ending): Promise<void> {
    await this.stop(ending);
    await this.start();
  }

  /** Makes a standby a primary, and waits until it takes commands. */
  async promote(): Promise<void> {
    await this.query("select pg_promote()");
  }

  /** Starts PgBouncer in front of the server, with lines for its file; it ends with the test. */
  async startBouncer(...lines: readonly string[]): Promise<Bouncer> {
    const port = await freePort();
    const file = (end: string): string => join(this.folder, `${port}.${end}`);
    writeFileSync(file("users"), '"sandbox" ""\n"guarded" ""\n');
    const settings = [
      "[databases]",
      `* = host=127.0.0.1 port=${this.port}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = trust",
      `auth_file = ${file("users")}`,
      ...lines,
    ];
    writeFileSync(file("ini"), settings.join("\n"));
    const log = openSync(file("log"), "a");
    const child = spawn(bouncer ?? "pgbouncer", [file("ini")], {
      ...this.#user,
      cwd: this.folder,
      stdio: ["ignore", log, log],
    });
    const kill = (): void => void child.kill("SIGKILL");
    process.once("exit", kill);
    const stop = async (): Promise<void> => {
      process.off("exit", kill);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      kill();
      await exited;
    };
    onTestFinished(stop);
    while (!readFileSync(file("log"), "utf8").includes("process up")) {
      if (child.exitCode !== null) throw new Error(`PgBouncer has ended:\n${readFileSync(file("log"), "utf8")}`);
      await wait(20);
    }
    return { address: (schema, user) => this.address(schema, user).replace(`:${this.port}/`, `:${port}/`), stop };
  }

  /** Stops the server, and removes its folder. */
  async remove(): Promise<void> {
    await this.stop("immediate");
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Opens a connection, which the caller ends. */
  async connect(schema = "public"): Promise<Client> {
    const client = new Client({ connectionString: this.address(schema), options: `-c search_path=${schema}` });
    client.on("error", () => {});
    await client.connect();
    return client;
  }

  /** Runs one statement over a new connection. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async query(text: string, values: readonly unknown[] = [], schema = "public"): Promise<any[]> {
    const client = await this.connect(schema);
    try {
      return (await client.query(text, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  #run(program: string, args: readonly string[]): void {
    execFileSync(join(programs ?? "", program), args, { ...this.#user, cwd: this.folder, stdio: "pipe" });
  }

  #spawn(program: string, args: readonly string[], output: number): ChildProcess {
    const stdio = ["ignore" as const, output, output];
    return spawn(join(programs ?? "", program), args, { ...this.#user, cwd: this.folder, stdio });
  }
}

/** Creates the cluster of a file of tests, which lives from its first to its last test. */
export function useCluster(): { readonly cluster: Cluster } {
  const use = {} as { cluster: Cluster };
  beforeAll(async () => {
    use.cluster = await Cluster.create();
  });
  afterAll(() => use.cluster?.remove());
  return use;
}
