import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../support/until.ts";
import { Running, temporaryFolder, type Ready } from "./cli.ts";

const bin = fileURLToPath(new URL("../../bin/offering-sandbox.js", import.meta.url));

/** Requests whose modules no request has loaded before. */
const requests = [
  ["GET /", ""],
  ["GET /openapi.json", ""],
  ["GET /__admin/clock", ""],
  ["POST /__admin/faults", '{"delay":"1ms","times":1}'],
  ["POST /__admin/runs", '{"scenario":{"steps":[{"investment":{"step":"COUNTERSIGN"}}]}}'],
  ["POST /__admin/keys", "{"],
  ["POST /__admin/investments", "{}"],
  ["PUT /__admin/snapshot", "{}"],
] as const;

test("nothing stays broken that is asked for while the process has no file descriptor left", async () => {
  const running = await startWithFew(64);
  const { port } = new URL(running.ready.url);
  const open: Client[] = [];
  // The server accepts connections until it cannot, and closes the next one at once.
  for (let answer: string | undefined = ""; answer !== undefined;) {
    const client = await Client.open(Number(port));
    answer = await client.ask("GET /api/v1/nothing");
    if (answer !== undefined) open.push(client);
  }
  // A connection ends with the refusal of a body.
  const ask = async (request: string, body: string): Promise<string> => {
    const client = (body === "" ? open.at(-1) : open.pop()) ?? (await Client.open(Number(port)));
    return (await client.ask(request, body))?.slice(9, 12) ?? "";
  };
  for (const [request, body] of requests) expect([request, await ask(request, body)]).toEqual([request, "500"]);
  expect(await ask("GET /api/v1/nothing", "")).toBe("401");
  for (const { socket } of open.splice(0)) socket.destroy();
  await until(async () => expect(await ask("GET /__admin/health", "")).toBe("200"));
  const answers = [];
  for (const [request, body] of requests) answers.push(await ask(request, body));
  expect(answers).toEqual(["200", "200", "200", "201", "201", "400", "201", "400"]);
  expect(await running.stop()).toBe(0);
  const errors = running.lines.filter((line) => line.startsWith('{"event":"error"'));
  expect(errors).toHaveLength(requests.length);
  for (const line of errors) expect(line).toMatch(/cannot be loaded: EMFILE.*ulimit -n/);
});

/** Starts a sandbox that may have so many files and connections open. */
async function startWithFew(descriptors: number): Promise<Running & { ready: Ready }> {
  const line = `ulimit -n ${descriptors}; exec "${process.execPath}" "${bin}" --port 0 --log-format json`;
  const running = new Running(
    spawn("bash", ["-c", line], { cwd: temporaryFolder(), stdio: ["ignore", "pipe", "pipe"] }),
  );
  return Object.assign(running, { ready: (await running.event("ready")) as Ready });
}

/** A connection that asks one thing after the other. */
class Client {
  readonly socket: Socket;
  #text = "";

  private constructor(socket: Socket) {
    this.socket = socket.setEncoding("latin1").on("error", () => {});
    socket.on("data", (part: string) => (this.#text += part));
    onTestFinished(() => void socket.destroy());
  }

  static async open(port: number): Promise<Client> {
    const socket = connect(port, "127.0.0.1");
    const client = new Client(socket);
    await once(socket, "connect");
    return client;
  }

  /** Returns the answer; undefined if the server closed the connection. */
  async ask(request: string, body = ""): Promise<string | undefined> {
    const type = body === "" ? "" : "Content-Type: application/json\r\n";
    const head = `${request} HTTP/1.1\r\nHost: localhost\r\n${type}Content-Length: ${body.length}\r\n\r\n`;
    this.#text = "";
    this.socket.write(head + body);
    const closed = new Promise<false>((resolve) => this.socket.once("close", () => resolve(false)));
    while (!this.#isWhole()) {
      const more = new Promise<true>((resolve) => this.socket.once("data", () => resolve(true)));
      if (!(await Promise.race([more, closed]))) return undefined;
    }
    return this.#text;
  }

  #isWhole(): boolean {
    const [head = "", rest] = this.#text.split(/\r\n\r\n(.*)/s);
    return rest !== undefined && rest.length >= Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  }
}
