import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../support/free-port.ts";
import { install, root } from "../../support/packed.ts";

/** Substitutes for commands with a network. */
const standIns = fileURLToPath(new URL("stand-ins", import.meta.url));

/** Packages that the pages use, apart from the sandbox. */
const companions = ["@playwright/test", "@types/node", "jest", "jest-environment-node", "vite", "vitest"] as const;

/** The project of a reader: a folder with the packed package installed. */
export class Project {
  readonly #home: string;
  readonly #ports: ReadonlyMap<string, number>;
  readonly #servers = new Map<string, ChildProcess>();
  readonly #running = new Set<ChildProcess>();
  /** The lines of the last script on stdout and stderr, in order. */
  printed = "";

  private constructor(home: string, ports: ReadonlyMap<string, number>) {
    this.#home = home;
    this.#ports = ports;
  }

  static async create(tarball: string): Promise<Project> {
    const home = await mkdtemp(join(tmpdir(), "offering-sandbox-page-"));
    const ports = new Map([
      ["4120", await freePort()],
      ["5173", await freePort()],
    ]);
    const project = new Project(home, ports);
    // `npm init -y` writes the same.
    await project.write("package.json", `{ "private": true, "type": "commonjs" }`);
    await install(tarball, project.folder, companions);
    return project;
  }

  get folder(): string {
    return join(this.#home, "project");
  }

  /** The text of a page with free ports in place of the written ones. */
  withFreePorts(text: string): string {
    return text.replaceAll(/\b(?:4120|5173)\b/g, (port) => String(this.#ports.get(port)));
  }

  async write(file: string, text: string): Promise<void> {
    const path = join(this.folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  /** Runs a script in bash, in the project's folder or another. Later ones have its exports; its processes end. */
  async expect(script: string, cwd = this.folder, expectedCode = 0): Promise<void> {
    const file = join(this.#home, "printed");
    // A file: a pipe would stay open as long as processes left running.
    const output = await open(file, "w");
    const child = this.#spawn(`trap 'export -p > "$EXPORTED"' EXIT\n${script}`, cwd, output.fd);
    const [code] = (await once(child, "exit")) as [number | null];
    endGroup(child, "SIGKILL");
    await output.close();
    this.printed = (await readFile(file, "utf8")).replaceAll("\r\n", "\n");
    if (code !== expectedCode) throw new Error(`It ended with ${code} instead of ${expectedCode}:\n${this.printed}`);
  }

  /** Starts a script and waits for its ready line. First stops a server of the same name. */
  async serve(name: string, script: string, cwd = this.folder): Promise<void> {
    await this.#stop(name);
    // Commands find a server by this variable; a server that read it would look for another.
    const child = this.#spawn(`unset OFFERING_SANDBOX_URL\n${script}`, cwd, "pipe");
    this.#servers.set(name, child);
    let output = "";
    await new Promise<void>((resolve, reject) => {
      const addOutput = (text: string): void => {
        output += text;
        if (/\bready\b.*\n/.test(output)) resolve();
      };
      child.stdout?.setEncoding("utf8").on("data", addOutput);
      child.stderr?.setEncoding("utf8").on("data", addOutput);
      child.once("close", () => reject(new Error(`It ended before it was ready:\n${output}`)));
    });
    this.printed = output;
  }

  async close(): Promise<void> {
    for (const name of this.#servers.keys()) await this.#stop(name);
    for (const child of this.#running) endGroup(child, "SIGKILL");
    await rm(this.#home, { recursive: true, force: true });
  }

  async #stop(name: string): Promise<void> {
    const child = this.#servers.get(name);
    this.#servers.delete(name);
    if (!child || !this.#running.has(child)) return;
    const pendingClose = once(child, "close");
    endGroup(child, "SIGTERM");
    await pendingClose;
  }

  #spawn(script: string, cwd: string, output: number | "pipe"): ChildProcess {
    const exported = join(this.#home, "exported");
    const sourceExports = `if [ -f "$EXPORTED" ]; then source "$EXPORTED"; fi`;
    const child = spawn("bash", ["-euo", "pipefail", "-c", `${sourceExports}\n${script}`], {
      cwd,
      env: { ...this.#environment(), EXPORTED: exported },
      // In its own group, to end it with all its children.
      detached: true,
      stdio: ["ignore", output, output],
    });
    this.#running.add(child);
    child.once("close", () => this.#running.delete(child));
    return child;
  }

  /**
   * The variables of a reader's terminal: ours, without those of this test and this package, and without a locale,
   * since bash warns of one not installed.
   */
  #environment(): NodeJS.ProcessEnv {
    const readerVariables = Object.entries(process.env).filter(
      ([name]) => !/^(?:LC_|npm_|VITE|TEST$|NODE_ENV$|NODE_OPTIONS$|PORT$|OFFERING_SANDBOX_)/i.test(name),
    );
    const port = String(this.#ports.get("4120"));
    return {
      ...Object.fromEntries(readerVariables),
      PATH: [standIns, join(this.folder, "node_modules", ".bin"), process.env["PATH"]].join(delimiter),
      CHECKOUT: root,
      OFFERING_SANDBOX_PORT: port,
      OFFERING_SANDBOX_URL: `http://localhost:${port}`,
      NO_COLOR: "1",
      npm_config_offline: "true",
      npm_config_update_notifier: "false",
    };
  }
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
