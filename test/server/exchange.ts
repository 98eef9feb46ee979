import { connect } from "node:net";

/** Sends a string to a sandbox, and returns everything received until the connection is closed. */
export async function exchange(url: string, request: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(request);
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) text += String(chunk);
  return text;
}
