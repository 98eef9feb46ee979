import { expect } from "vitest";
import { notKnown } from "../../../src/storage/postgres/connection.ts";
import { admin, type SandboxProcess } from "./processes.ts";

const nothingDone = "The database of the sandbox does not respond; nothing was done.";

/** A client that issues one key after another in an environment of its own, and what it was told. */
export class Writer {
  readonly id: string;
  readonly #keysBefore: number;
  acknowledged = 0;
  /** Of these the client was not told whether they are in force. */
  unknown = 0;
  /** Of these the client was told that nothing was done. */
  refused = 0;
  readonly unforeseen: string[] = [];

  private constructor(id: string, keysBefore: number) {
    this.id = id;
    this.#keysBefore = keysBefore;
  }

  static async open(server: SandboxProcess): Promise<Writer> {
    const environment = await server.sandbox.openEnvironment({ scenarios: [], rateLimit: 0 });
    return new Writer(environment.id, (await environment.keys.list()).length);
  }

  /** Issues one key. A process that is killed may break the connection. */
  async write(server: SandboxProcess): Promise<void> {
    const response = await admin(server, this.id, "/keys", { type: "partner" }).catch(() => undefined);
    if (response?.status === 201) this.acknowledged += 1;
    else if (!response || response.json?.detail === notKnown.away) {
      this.unknown += 1;
      if (!response && server.child.exitCode === null && server.child.signalCode === null && !server.child.killed)
        this.unforeseen.push("The connection broke.");
    } else if (response.status === 503 && response.json?.detail === nothingDone) this.refused += 1;
    else this.unforeseen.push(`${response.status} ${response.text}`);
  }

  /** Expects that all acknowledged commands are in force, and none twice. */
  async expectActive({ sandbox }: SandboxProcess): Promise<void> {
    expect(this.unforeseen).toEqual([]);
    const listed = await (await sandbox.environment(this.id)).keys.list();
    const inForce = listed.length - this.#keysBefore;
    const { acknowledged, unknown } = this;
    expect({ lost: acknowledged > inForce, twice: inForce > acknowledged + unknown }).toEqual({
      lost: false,
      twice: false,
    });
    expect(acknowledged).toBeGreaterThan(0);
  }
}

/** Lets writers write until `act` has ended, each over one process after another. */
export async function whileWriting(
  writers: readonly Writer[],
  serverFor: (nth: number) => SandboxProcess,
  act: () => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const works = writers.map(async (writer, first) => {
    for (let nth = first; !over.signal.aborted; nth++) await writer.write(serverFor(nth));
  });
  try {
    await act();
  } finally {
    over.abort();
    await Promise.all(works);
  }
}
