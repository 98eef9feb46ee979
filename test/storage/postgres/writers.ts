import { expect } from "vitest";
import { outcomeUnknownMessages } from "../../../src/storage/postgres/errors.ts";
import { admin, type SandboxProcess } from "./processes.ts";

const notApplied = "The database of the sandbox does not respond; nothing was applied.";

/** A client that issues one key after another in its own environment, with the counts of the responses. */
export class Writer {
  readonly id: string;
  readonly #keysBefore: number;
  acknowledged = 0;
  /** The number of commands of which the client does not know whether they were applied. */
  unknown = 0;
  /** The number of commands of which the client knows that they were not applied. */
  refused = 0;
  readonly unexpected: string[] = [];

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
    else if (!response || response.json?.detail === outcomeUnknownMessages.unreachable) {
      this.unknown += 1;
      if (!response && server.child.exitCode === null && server.child.signalCode === null && !server.child.killed)
        this.unexpected.push("The connection broke.");
    } else if (response.status === 503 && response.json?.detail === notApplied) this.refused += 1;
    else this.unexpected.push(`${response.status} ${response.text}`);
  }

  /** Expects that all acknowledged commands were applied, and none twice. */
  async expectActive({ sandbox }: SandboxProcess): Promise<void> {
    expect(this.unexpected).toEqual([]);
    const listed = await (await sandbox.environment(this.id)).keys.list();
    const appliedCount = listed.length - this.#keysBefore;
    const { acknowledged, unknown } = this;
    expect({ lost: acknowledged > appliedCount, twice: appliedCount > acknowledged + unknown }).toEqual({
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
  const endController = new AbortController();
  const pendingWrites = writers.map(async (writer, first) => {
    for (let nth = first; !endController.signal.aborted; nth++) await writer.write(serverFor(nth));
  });
  try {
    await act();
  } finally {
    endController.abort();
    await Promise.all(pendingWrites);
  }
}
