// Sends requests at fixed instants, whether or not earlier requests have a response. A latency counts from the instant
// when its request was due, including the wait for a connection, so a stalled server cannot hide it.
import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { quantile } from "../statistics.js";

/** Milliseconds at the beginning whose latencies are ignored. */
const warmUpMs = 1000;

export async function openLoop({ url, requests, seconds, rate, connections: count }) {
  const { hostname, port, host } = new URL(url);
  const messages = requests.map((request) => messageOf(host, request));
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(hostname, port)));
  const idle = [...connections];
  const total = Math.round((seconds + warmUpMs / 1000) * rate);
  const responses = {};
  const latencies = [];
  let sentCount = 0;
  let responseCount = 0;
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  while (responseCount < total && elapsed() < 2 * (seconds * 1000 + warmUpMs)) {
    while (idle.length > 0 && sentCount < total && (sentCount * 1000) / rate <= elapsed())
      send((sentCount * 1000) / rate, idle.pop());
    await turn();
  }
  for (const connection of connections) connection.close();
  const [p50, p99, p999] = [0.5, 0.99, 0.999].map((share) => quantile(latencies, share));
  return { responses, unansweredCount: total - responseCount, latencies: { p50, p99, p999 } };

  function send(due, connection) {
    connection.ask(messages[sentCount++ % messages.length], (status) => {
      responseCount += 1;
      responses[status] = (responses[status] ?? 0) + 1;
      if (due > warmUpMs) latencies.push(elapsed() - due);
      idle.push(connection);
    });
  }
}

function messageOf(host, { path, headers }) {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** A connection for one request at a time, with responses of known length: far cheaper than Node's client. */
class Connection {
  static async open(host, port) {
    const socket = connect({ host, port: Number(port), noDelay: true });
    await once(socket, "connect");
    return new Connection(socket);
  }

  #socket;
  #responded = () => {};
  #status = "";
  #bytesLeft = 0;

  constructor(socket) {
    this.#socket = socket;
    socket.on("data", (chunk) => this.#read(chunk));
    socket.on("error", () => {});
    socket.on("close", () => this.#responded("no response"));
  }

  /** Sends a message; calls back with the status after the whole response, or with "no response". */
  ask(text, onResponse) {
    this.#responded = onResponse;
    this.#status = "";
    this.#socket.write(text, "latin1");
  }

  #read(chunk) {
    if (this.#status === "") {
      // The head of a response is far smaller than a packet, so it arrives whole.
      const end = chunk.indexOf("\r\n\r\n");
      const head = chunk.latin1Slice(0, end);
      this.#status = head.slice(9, 12);
      this.#bytesLeft = Number(/^content-length: (\d+)/im.exec(head)[1]) + end + 4;
    }
    this.#bytesLeft -= chunk.length;
    if (this.#bytesLeft === 0) this.#responded(this.#status);
  }

  close() {
    this.#responded = () => {};
    this.#socket.destroy();
  }
}
