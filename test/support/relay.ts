import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { listenUntilTestEnds } from "./listening.ts";

/** Passes connections on to a port, which may change; ends with the test. */
export interface Relay {
  readonly port: number;
  /** Passes later connections on to another port, and closes the current ones. */
  readonly turnTo: (port: number) => void;
  /** Reads and sends nothing more until `heal`, without closing anything. */
  readonly stopForwarding: () => void;
  readonly heal: () => void;
  /** Reads and sends nothing more over the current connections, without closing them. Passes later ones on. */
  readonly lose: () => void;
}

export async function startRelay(to: number): Promise<Relay> {
  let [target, isSilent] = [to, false];
  const sockets = new Set<Socket>();
  const lost = new WeakSet<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(target, "127.0.0.1");
    for (const [from, into] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      from.on("data", (part) => into.write(part));
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        if (!isSilent && !lost.has(from)) into.destroy();
      });
      if (isSilent) from.pause();
    }
  });
  const port = await listenUntilTestEnds(server);
  const closeAll = (): void => sockets.forEach((socket) => socket.destroy());
  onTestFinished(closeAll);
  return {
    port,
    turnTo(newTarget) {
      target = newTarget;
      closeAll();
    },
    stopForwarding() {
      isSilent = true;
      for (const socket of sockets) socket.pause();
    },
    heal() {
      isSilent = false;
      closeAll();
    },
    lose() {
      for (const socket of sockets) lost.add(socket.pause());
    },
  };
}
