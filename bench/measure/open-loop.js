// Requests at fixed instants, whether earlier ones are answered or not. A latency counts from the instant at which its request
// was due, including the wait for a connection, so a server that stalls cannot hide it.
import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { quantile } from "../statistics.js";

/** Milliseconds at the beginning of which the latencies do not count. */
const warmUp = 1000;

export async function openLoop({ url, requests, seconds, rate, connections: count }) {
  const { hostname, port, host } = new URL(url);
  const messages = requests.map((request) => messageOf(host, request));
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(hostname, port)));
  const idle = [...connections];
  const total = Math.round((seconds + warmUp / 1000) * rate);
  const answers = {};
  const latencies = [];
  let sent = 0;
  let answered = 0;
  const begin = performance.now();
  const passed = () => performance.now() - begin;
  while (answered < total && passed() < 2 * (seconds * 1000 + warmUp)) {
    while (idle.length > 0 && sent < total && (sent * 1000) / rate <= passed()) send((sent * 1000) / rate, idle.pop());
    await turn();
  }
  for (const connection of connections) connection.close();
  const [p50, p99, p999] = [0.5, 0.99, 0.999].map((share) => quantile(latencies, share));
  return { answers, unanswered: total - answered, latencies: { p50, p99, p999 } };

  function send(due, connection) {
    connection.ask(messages[sent++ % messages.length], (status) => {
      answered += 1;
      answers[status] = (answers[status] ?? 0) + 1;
      if (due > warmUp) latencies.push(passed() - due);
      idle.push(connection);
    });
  }
}

function messageOf(host, { path, headers }) {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** One request at a time, whose answer carries its length: far cheaper than Node's client. */
class Connection {
  static async open(host, port) {
    const socket = connect({ host, port: Number(port), noDelay: true });
    await once(socket, "connect");
    return new Connection(socket);
  }

  #socket;
  #answered = () => {};
  #status = "";
  #bytesLeft = 0;

  constructor(socket) {
    this.#socket = socket;
    socket.on("data", (part) => this.#read(part));
    socket.on("error", () => {});
    socket.on("close", () => this.#answered("no answer"));
  }

  /** Sends a message, and calls back with the status once the whole answer is there, or with "no answer". */
  ask(text, answered) {
    this.#answered = answered;
    this.#status = "";
    this.#socket.write(text, "latin1");
  }

  #read(part) {
    if (this.#status === "") {
      // The head of an answer is far smaller than a packet: it comes whole.
      const end = part.indexOf("\r\n\r\n");
      const head = part.latin1Slice(0, end);
      this.#status = head.slice(9, 12);
      this.#bytesLeft = Number(/^content-length: (\d+)/im.exec(head)[1]) + end + 4;
    }
    this.#bytesLeft -= part.length;
    if (this.#bytesLeft === 0) this.#answered(this.#status);
  }

  close() {
    this.#answered = () => {};
    this.#socket.destroy();
  }
}
