import { readdirSync } from "node:fs";
import { type Case, caseOf, writeCase } from "../../cases/case-file.ts";
import type { LocalSandbox } from "../../control.ts";
import { printError } from "../output/terminal.ts";

/** How many cases of closed environments are kept: the latest. */
const mostClosed = 200;

/** How many of them are named on the terminal. */
const mostNamed = 10;

/** The cases of the environments of a command, if there is a folder for them. */
export class CommandCases {
  readonly #folder: string | undefined;
  readonly #command: string;
  readonly #before: number;
  #closed: Case[] = [];

  constructor(folder: string | undefined, command: string) {
    this.#folder = folder;
    this.#command = command;
    this.#before = this.#count();
  }

  /** Makes the case of an environment that the command closes, if requests came to it. It may be of a test that fails. */
  async keepClosed(sandbox: LocalSandbox, id: string): Promise<void> {
    if (this.#folder === undefined) return;
    try {
      const environment = await sandbox.environment(id);
      if ((await environment.requests.count()) === 0) return;
      const { label } = await environment.describe();
      const failure = `${this.#command} closed the environment, and failed later.`;
      this.#closed.push(await caseOf(sandbox, environment, { titles: [label ?? id], failure }));
      this.#closed = this.#closed.slice(-mostClosed);
    } catch {
      // It is closed all the same.
    }
  }

  /** Writes the case of each environment. A command whose tests have written theirs needs none of closed ones. */
  async write(sandbox: LocalSandbox, code: number): Promise<void> {
    const folder = async (): Promise<string | undefined> => this.#folder;
    if (this.#folder === undefined) return;
    const closed = this.#count() > this.#before ? [] : this.#closed;
    const failure = `${this.#command} ended with exit code ${code}.`;
    for (const { id, label } of await sandbox.environmentSummaries()) {
      const environment = await sandbox.environment(id);
      const make = (): Promise<Case> => caseOf(sandbox, environment, { titles: [label ?? id], failure });
      for (const line of await writeCase(folder, make)) printError(`environment "${id}", ${line}`);
    }
    for (const [at, one] of closed.entries()) {
      const lines = await writeCase(folder, async () => one);
      if (at < mostNamed) for (const line of lines) printError(`closed environment, ${line}`);
    }
    if (closed.length > mostNamed) printError(`… and ${closed.length - mostNamed} more of closed environments`);
  }

  #count(): number {
    try {
      return this.#folder === undefined ? 0 : readdirSync(this.#folder).length;
    } catch {
      return 0;
    }
  }
}
