import { once } from "node:events";
import { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { onTestFinished } from "vitest";

/** Lets a server listen at a free port of this machine until the test ends, and returns the port. */
export async function listenUntilTestEnds(server: Server, host = "127.0.0.1"): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    if (server instanceof HttpServer) server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}
