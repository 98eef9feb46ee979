import { Router, type ErrorRequestHandler, type RequestHandler } from "express";
import { adminOperations, type AdminOperation } from "../control/operations.ts";
import { ControlError } from "../errors/control-error.ts";
import { HttpError } from "../errors/http-error.ts";
import { commands, type CommandTarget, type Order } from "./commands.ts";
import { readBody } from "./read-body.ts";
import { readFilter } from "./read-filter.ts";
import { route } from "./route.ts";

/** What the admin API is made with. */
export interface AdminOptions extends CommandTarget {
  /** Lets in who may call it, or throws. */
  readonly guard: RequestHandler;
}

/** The admin API: every path below where it is mounted. Sends no CORS headers, ever. */
export function createAdminRouter({ guard, ...target }: AdminOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const answer: RequestHandler = async (request, response) => {
    const { operation, environment, id } = route(request.method, request.path);
    const filter = readFilter(operation, new URLSearchParams(request.url.replace(/^[^?]*/, "")));
    const body = isRead(operation) ? undefined : await readBody(operation, request, response);
    const { sandbox } = target;
    const order = {
      environment: environment === undefined ? sandbox : await sandbox.environment(environment),
      id,
      filter,
      body,
    };
    const command = commands[operation.id] as (order: Order<unknown>, target: CommandTarget) => unknown;
    const answered = await command(order, target);
    response.set({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
    response.status(operation.status ?? 200);
    if (operation.status === 204) response.end();
    else response.json(answered);
  };
  for (const { path } of adminOperations.filter(({ open }) => open)) router.get(path, answer);
  router.use(guard, answer);
  router.use(asHttpError);
  return router;
}

/** A request that changes nothing; nobody looks at a body it may have. */
function isRead({ method }: AdminOperation): boolean {
  return method === "GET";
}

/** A command that cannot be done is an error of the catalogue. */
const asHttpError: ErrorRequestHandler = (thrown: unknown, _request, _response, next) => {
  next(thrown instanceof ControlError ? new HttpError(thrown.code, { detail: thrown.message }) : thrown);
};
