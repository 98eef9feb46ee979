import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { until } from "../support/until.ts";

/** The file of Firefox; undefined if there is none. */
export const firefoxFile = ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find((file) => existsSync(file));

/** Preferences of a Firefox without background connections, at a free port. */
const preferences = {
  "marionette.port": 0,
  "app.normandy.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,",
};

/**
 * A page in Firefox, driven by Marionette, the protocol below its WebDriver. Playwright only drives its own build of
 * Firefox, which distributions do not package. The browser ends with the test.
 */
export class FirefoxPage {
  readonly #socket: Socket;
  readonly #responses = new Map<number, (response: readonly unknown[]) => void>();
  #last = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    let received = Buffer.alloc(0);
    socket.on("data", (data) => {
      received = Buffer.concat([received, data]);
      // Each message is its length in bytes, a colon and JSON.
      for (;;) {
        const colon = received.indexOf(":");
        const end = colon + 1 + Number(received.subarray(0, Math.max(0, colon)).toString());
        if (colon === -1 || received.length < end) return;
        const message: unknown = JSON.parse(received.subarray(colon + 1, end).toString());
        received = received.subarray(end);
        if (Array.isArray(message)) this.#responses.get(Number(message[1]))?.(message);
      }
    });
  }

  static async open(url: string): Promise<FirefoxPage> {
    const profile = await mkdtemp(join(tmpdir(), "firefox-"));
    const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
    await writeFile(join(profile, "user.js"), lines.join("\n"));
    const flags = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile];
    // It refuses the home of another user.
    const program = spawn(firefoxFile ?? "firefox", flags, { stdio: "ignore", env: { ...process.env, HOME: profile } });
    const ended = once(program, "exit");
    onTestFinished(async () => {
      program.kill("SIGKILL");
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    });
    const port = join(profile, "MarionetteActivePort");
    await until(() => existsSync(port) && program.exitCode === null);
    const socket = connect(Number(await readFile(port, "utf8")), "127.0.0.1");
    await once(socket, "connect");
    onTestFinished(() => void socket.destroy());
    const page = new FirefoxPage(socket);
    await page.#send("WebDriver:NewSession", {});
    await page.#send("WebDriver:SetWindowRect", { width: 1440, height: 900 });
    await page.#send("WebDriver:Navigate", { url });
    return page;
  }

  /** Runs a script in the page, and returns what it returns. */
  async run<Value>(script: string): Promise<Value> {
    return ((await this.#send("WebDriver:ExecuteScript", { script, args: [] })) as { readonly value: Value }).value;
  }

  /** Opens a route, and leaves the view before. */
  async go(route: string): Promise<void> {
    await this.run(`return new Promise((done) => {
      addEventListener("hashchange", () => done(), { once: true });
      location.hash = "${route}";
    })`);
  }

  /** The uncaught errors, and what the page's policy refused. */
  async errors(origin: string): Promise<readonly string[]> {
    await this.#send("Marionette:SetContext", { value: "chrome" });
    const all = await this.run<readonly string[]>(`return Services.console.getMessageArray()
      .filter((message) => message instanceof Ci.nsIScriptError && (message.flags & 1) === 0)
      .map((message) => message.sourceName + ": " + message.errorMessage);`);
    await this.#send("Marionette:SetContext", { value: "content" });
    return all.filter((message) => message.startsWith(origin));
  }

  async #send(command: string, parameters: object): Promise<unknown> {
    const id = ++this.#last;
    const text = JSON.stringify([0, id, command, parameters]);
    const responded = new Promise<readonly unknown[]>((resolve) => this.#responses.set(id, resolve));
    this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    const [, , problem, result] = await responded;
    if (problem !== null) throw new Error(JSON.stringify(problem));
    return result;
  }
}
