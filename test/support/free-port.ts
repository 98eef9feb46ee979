import { once } from "node:events";
import { createServer } from "node:net";

/** Processes that run at once begin far from each other, and none names a port twice. */
let asked = process.pid * 61;

/** A port below those that systems give out, so that nobody is given it before it is used. */
export async function freePort(): Promise<number> {
  const port = 10_000 + (asked++ % 20_000);
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen(port, () => resolve(true));
  });
  if (!free) return await freePort();
  server.close();
  await once(server, "close");
  return port;
}
