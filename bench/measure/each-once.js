import { Connection, messageOf } from "./connection.js";

/** Sends each request once, over so many connections, each as soon as the one before it on its connection is answered. */
export async function eachOnce({ url, requests, connections }) {
  const messages = requests.map((request) => messageOf(url, request));
  const all = await Connection.openMany(url, connections);
  const answers = {};
  const since = performance.now();
  await Promise.all(
    all.map(async (connection) => {
      for (let text = messages.pop(); text !== undefined; text = messages.pop()) {
        const status = await new Promise((resolve) => connection.ask(text, resolve));
        answers[status] = (answers[status] ?? 0) + 1;
      }
      connection.close();
    }),
  );
  return { answers, unanswered: 0, seconds: (performance.now() - since) / 1000 };
}
