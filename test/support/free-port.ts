import { once } from "node:events";
import { createServer } from "node:net";

/** Parallel processes start far from each other, and none returns a port twice. */
let portOffset = process.pid * 61;

/** Returns a port below the range that the system assigns to others. */
export async function freePort(): Promise<number> {
  const port = 10_000 + (portOffset++ % 20_000);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen(port, () => resolve(true));
  });
  if (!isFree) return await freePort();
  server.close();
  await once(server, "close");
  return port;
}
