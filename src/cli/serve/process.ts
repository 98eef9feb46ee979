import { spawn } from "node:child_process";
import { codeOf, messageOf } from "../../validation/errors.ts";

/** The signals to stop, for our process and for the command of `exec`. */
export const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A request to stop: a signal, `q` in a terminal, or the end of the forking parent. A second one ends the process. */
export class StopRequest {
  /** Resolves with the name of the signal; undefined for another request. */
  readonly signal: Promise<string | undefined>;
  #resolve: (signal?: string) => void = () => {};
  #before = false;

  constructor() {
    this.signal = new Promise((resolve) => (this.#resolve = resolve));
    for (const signal of stopSignals) process.on(signal, this.ask);
    process.once("disconnect", this.ask);
    // Only the server keeps the process alive.
    process.channel?.unref();
  }

  readonly ask = (signal?: string): void => {
    if (this.#before) process.exit(0);
    this.#before = true;
    this.#resolve(signal);
  };

  /** Resolves on the next request, which then does not end the process. */
  again(): Promise<unknown> {
    this.#before = false;
    return new Promise((resolve) => (this.#resolve = resolve));
  }
}

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Milliseconds to wait for a failure: a successful command may run as long as its browser. */
const patience = 2000;

/** Opens a link in the browser of this machine, without a shell. Returns undefined, or the reason why it cannot. */
export async function openBrowser(link: string): Promise<string | undefined> {
  const [command = "", ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, link], { stdio: "ignore", detached: true });
  return new Promise((resolve) => {
    const waiting = setTimeout(() => {
      child.unref();
      resolve(undefined);
    }, patience);
    const end = (failure: string | undefined): void => {
      clearTimeout(waiting);
      resolve(failure && `No browser was opened: ${failure}. Open the link yourself.`);
    };
    child.once("error", (error) => {
      end(codeOf(error) === "ENOENT" ? `this machine has no ${command}` : messageOf(error));
    });
    child.once("exit", (code) => end(code === 0 ? undefined : `${command} ended with ${code ?? "a signal"}`));
  });
}
