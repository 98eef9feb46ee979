import { spawn } from "node:child_process";
import { codeOf, messageOf } from "../../validation/errors.ts";

/** The signals that stop this process and the command of `exec`. */
export const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A request to stop: a signal, `q` in a terminal, or the end of the parent. A second request ends the process. */
export class StopRequest {
  /** Resolves with the name of the signal; undefined for another request. */
  readonly signal: Promise<string | undefined>;
  #resolve: (signal?: string) => void = () => {};
  #isRequested = false;

  constructor() {
    this.signal = new Promise((resolve) => (this.#resolve = resolve));
    for (const signal of stopSignals) process.on(signal, this.request);
    process.once("disconnect", this.request);
    // The channel to a parent must not prevent the end of the process; only the server does.
    process.channel?.unref();
  }

  readonly request = (signal?: string): void => {
    if (this.#isRequested) process.exit(0);
    this.#isRequested = true;
    this.#resolve(signal);
  };

  /** Resolves on the next request, which does not end the process. */
  whenRequestedAgain(): Promise<unknown> {
    this.#isRequested = false;
    return new Promise((resolve) => (this.#resolve = resolve));
  }
}

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** The time to wait for a failure. A successful command may run as long as its browser. */
const failureTimeoutMs = 2000;

/** Opens a link in the browser of this machine, without a shell. Returns undefined, or the reason why it cannot. */
export async function openBrowser(link: string): Promise<string | undefined> {
  const [command = "", ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, link], { stdio: "ignore", detached: true });
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      child.unref();
      resolve(undefined);
    }, failureTimeoutMs);
    const finish = (failure: string | undefined): void => {
      clearTimeout(timer);
      resolve(failure && `No browser was opened: ${failure}. Open the link yourself.`);
    };
    child.once("error", (error) => {
      finish(codeOf(error) === "ENOENT" ? `this machine has no ${command}` : messageOf(error));
    });
    child.once("exit", (code) => finish(code === 0 ? undefined : `${command} ended with ${code ?? "a signal"}`));
  });
}
