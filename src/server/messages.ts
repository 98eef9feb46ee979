import { IncomingMessage, ServerResponse } from "node:http";
import type { Express } from "express";

/**
 * The requests and responses of a server, made with the prototypes that Express wants them to have: it gives them those
 * anyway, and an object whose prototype changes after it was made is slow from then on.
 */
export class Messages {
  readonly IncomingMessage: typeof IncomingMessage = class extends IncomingMessage {};
  readonly ServerResponse = class extends ServerResponse {} as typeof ServerResponse;

  /** Makes them those of an app, and no longer those of the one before it. */
  belongTo(app: Express): void {
    const { prototype: request } = this.IncomingMessage;
    const { prototype: response } = this.ServerResponse;
    Object.setPrototypeOf(request, app.request);
    Object.setPrototypeOf(response, app.response);
    Object.assign(app, { request, response });
  }
}
