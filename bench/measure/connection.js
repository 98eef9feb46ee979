import { once } from "node:events";
import { connect } from "node:net";

/** A connection that asks for one thing at a time, and reads answers that carry their length: far cheaper than Node's client. */
export class Connection {
  /** Opens so many connections to a server. */
  static openMany(url, howMany) {
    const { hostname, port } = new URL(url);
    const open = async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, "connect");
      return new Connection(socket);
    };
    return Promise.all(Array.from({ length: howMany }, open));
  }

  #socket;
  #answered = () => {};
  #status = "";
  #missing = 0;

  constructor(socket) {
    this.#socket = socket;
    socket.on("data", (part) => this.#read(part));
    socket.on("error", () => {});
    socket.on("close", () => this.#answered("no answer"));
  }

  /** Sends a message, and calls with the status once the whole answer is there, or with "no answer". */
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
      this.#missing = Number(/^content-length: (\d+)/im.exec(head)[1]) + end + 4;
    }
    this.#missing -= part.length;
    if (this.#missing === 0) this.#answered(this.#status);
  }

  close() {
    this.#answered = () => {};
    this.#socket.destroy();
  }
}

/** A GET as it is sent. */
export function messageOf(url, { path, headers }) {
  const lines = Object.entries({ host: new URL(url).host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}
