import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Agent } from "node:http";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { CoverageReport, Environment, Sandbox, SandboxOptions } from "../../src/public/control.ts";
import { type TestResponse, type RequestOptions, known, send } from "../support/sandbox.ts";
import { stopMachineTime } from "../support/machine-time.ts";
import { openControl, type Way } from "../support/sandboxes.ts";
import { until } from "../support/until.ts";

const { aurora, borealis, unknown, whole } = known;
export const offering = `/offerings/${aurora}`;
export const list = `${offering}/investments`;

export async function open(way: Way = "in process", options: SandboxOptions = {}): Promise<Sandbox> {
  return openControl({ rateLimit: 120, ...options }, way);
}

/** Sends a request on a new connection, or on the connection of an agent. */
export function sendRequest(
  { baseUrl }: Environment,
  path: string,
  { headers, ...otherOptions }: RequestOptions = {},
): Promise<TestResponse> {
  const { port, pathname } = new URL(baseUrl);
  const close = otherOptions.agent ? {} : { connection: "close" };
  // A name would be looked up, and requests made at once would not be sent at once.
  return send(`http://127.0.0.1:${port}`, pathname + path, { ...otherOptions, headers: { ...close, ...headers } });
}

export const risksIn = ({ risks }: CoverageReport): string[] => risks.map(({ id }) => id);

export function countOf({ behaviors }: CoverageReport, id: string): number | undefined {
  return behaviors.find((behavior) => behavior.id === id)?.count;
}

/** Requests by their names; other words are paths. */
const requests: Readonly<Record<string, readonly [path: string, key?: string]>> = {
  offering: [offering],
  list: [list],
  // oxlint-disable-next-line id-denylist -- a word of the conversations in these tests
  one: [`/investments/${whole}`],
  events: [`/investments/${whole}/events`],
  "403": [`/offerings/${borealis}`],
  "403b": [`/offerings/${borealis}/investments`],
  "404": [`/investments/${unknown}`],
  "401": [offering, known.keys.revoked],
  "401b": [list, known.keys.revoked],
  unknown: [offering, "sandbox_partner_0000000000000000"],
};

/** Commands by their names. */
const commands: Readonly<Record<string, (sandbox: Sandbox) => Promise<unknown>>> = {
  full: (sandbox) => sandbox.limits.set(known.keys.partner, 120),
  free: (sandbox) => sandbox.limits.clear(),
  "+1m": (sandbox) => sandbox.clock.advance("61s"),
  "+59.99s": (sandbox) => sandbox.clock.advance(59_990),
  "+59.9s": (sandbox) => sandbox.clock.advance(59_900),
  "+20s": (sandbox) => sandbox.clock.advance("20s"),
  past: (sandbox) => sandbox.clock.set({ now: "2020-01-01T00:00:00Z" }),
  future: (sandbox) => sandbox.clock.set({ now: "2030-01-01T00:00:00Z" }),
  fail: (sandbox) => sandbox.faults.add({ respond: { status: 503 }, times: 1 }),
  break: (sandbox) => sandbox.faults.add({ connection: "reset", times: 1 }),
  cut: (sandbox) => sandbox.faults.add({ truncate: 0.5, times: 1 }),
  slow: (sandbox) => sandbox.faults.add({ delay: 30, times: 1 }),
  busy: (sandbox) =>
    sandbox.faults.add({
      respond: { status: 503, headers: { "Retry-After": "60" } },
      times: 1,
      match: { path: "/offerings/*" },
    }),
  reset: (sandbox) => sandbox.reset(),
  revoke: (sandbox) => sandbox.keys.revoke(known.keys.partner),
  new: (sandbox) => sandbox.investments.create({ offering_id: aurora }),
};

/**
 * Holds a conversation: words, each sent after the response to the previous word. `a:list` requests the list on the
 * connection a, and `HEAD:a:list` by HEAD; `list|list` sends two requests at once; `[404,404]` writes both at once on a
 * new connection; `*3` repeats a word three times; `~` lets 300 ms pass, and waits until the sandbox knows that other
 * connections are closed. The machine's time is stopped, except that each read advances it by a thousandth of a
 * millisecond.
 */
export async function converse(sandbox: Sandbox, conversation: string): Promise<void> {
  const agents = new Map<string, Agent>();
  const passTime = stopMachineTime(0.001);
  const sockets = new Set<Socket>();
  const trackSocket = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  subscribe("net.server.socket", trackSocket);
  onTestFinished(() => {
    unsubscribe("net.server.socket", trackSocket);
    agents.forEach((agent) => agent.destroy());
  });
  const agentOf = (name: string): Agent => {
    const agent = agents.get(name) ?? new Agent({ keepAlive: true, maxSockets: 1 });
    agents.set(name, agent);
    return agent;
  };
  const perform = async (word: string): Promise<unknown> => {
    if (word === "~") return until(() => sockets.size === agents.size).then(() => passTime(300));
    const command = commands[word];
    if (command) return command(sandbox);
    const [request = "", connection, method = "GET"] = word.split(":").toReversed();
    const [path, key] = requests[request] ?? [request];
    const agent = connection === undefined ? undefined : agentOf(connection);
    // A fault may break the connection.
    return sendRequest(sandbox, path, { method, agent, ...(key !== undefined && { key }) }).catch(() => undefined);
  };
  for (const repeatedWord of conversation.split(" ")) {
    const [, word = "", count = "1"] = /^(.*?)(?:\*(\d+))?$/.exec(repeatedWord) ?? [];
    for (let time = 0; time < Number(count); time++) {
      if (word.startsWith("[")) await pipeline(sandbox, word.slice(1, -1).split(","));
      else await Promise.all(word.split("|").map(perform));
    }
  }
}

/** Writes requests on one connection without a wait for any response: all at once, or each by itself. */
async function pipeline({ baseUrl }: Sandbox, words: readonly string[]): Promise<void> {
  const { host, hostname, port, pathname } = new URL(baseUrl);
  const rawRequests = words.map((word, index) => {
    const [path, key = known.keys.partner] = requests[word] ?? [word];
    const close = index === words.length - 1 ? "Connection: close\r\n" : "";
    return `GET ${pathname}${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n${close}\r\n`;
  });
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  for (const text of rawRequests) socket.write(text);
  socket.resume();
  await new Promise((resolve) => socket.once("close", resolve));
}

/** The risks, reactions and undecided pairs in a report: `too-early 1, reactions.waited 1, undecided 2`. */
export function summarize({ behaviors, risks, undecided }: CoverageReport): string {
  const reactions = behaviors.filter(({ group, count }) => group === "reactions" && count > 0);
  const counts = [...risks, ...reactions].map(({ id, count }) => `${id.replace("reactions.", "")} ${count}`);
  return [...counts, ...(undecided > 0 ? [`undecided ${undecided}`] : [])].join(", ");
}
