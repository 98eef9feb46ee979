import { EventEmitter, once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { listenUntilTestEnds } from "./listening.ts";
import { openSandbox, send } from "./sandbox.ts";

/** A sandbox whose responses about requests do not end. */
export interface UnfinishedSandbox {
  readonly url: string;
  /** Resolves when the next of these responses has begun. */
  readonly nextResponse: () => Promise<ServerResponse>;
}

export async function serveUnfinished(): Promise<UnfinishedSandbox> {
  const { sandbox } = await openSandbox();
  const { text, headers } = await send(sandbox.url, "/__admin/environments/default", {});
  const responses = new EventEmitter();
  const server = createServer((request, response) => {
    response.writeHead(200, { "sandbox-version": headers["sandbox-version"] });
    if (!request.url?.includes("/requests")) return response.end(text);
    response.write('{"data": [');
    return responses.emit("begun", response);
  });
  return {
    url: `http://127.0.0.1:${await listenUntilTestEnds(server)}`,
    nextResponse: async () => ((await once(responses, "begun")) as [ServerResponse])[0],
  };
}
