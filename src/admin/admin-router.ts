import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from "express";
import { pipeline } from "node:stream/promises";
import { TimeSlice } from "../bounds/time-slice.ts";
import type { Server } from "../control/call.ts";
import { type AdminOperation, environmentPath, pathsOf } from "../control/operation.ts";
import { type AdminOperationId, adminOperations } from "../control/operations.ts";
import { perform } from "../control/perform.ts";
import { defaultId, type Environments } from "../environment/environments.ts";
import { ControlError } from "../errors/control-error.ts";
import { HttpError } from "../errors/http-error.ts";
import { codeOf } from "../validation/errors.ts";
import { jsonPieces } from "../text/json-text.ts";
import { originOf } from "../text/origin.ts";
import { withoutPastedKeys } from "../secrets/secrets.ts";
import { didYouMean } from "../text/text.ts";
import { type AdminAccess, type AdminRequest, checkGrant, guardAdmin, isViewOnly, tokenIn } from "./access.ts";
import { mayBeLarge, parametersIn, parseBody, parseQuery, readBodyText, withLines } from "./request.ts";

/** Creates the admin API. Paths are exact, and no response has CORS headers. */
export function createAdminRouter(access: AdminAccess, server: Server): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const serve = ([id, operation]: (typeof operationEntries)[number]): void => {
    for (const path of pathsOf(operation)) {
      const route = router.route(expressPath(path));
      const method = operation.method.toLowerCase() as "get" | "post" | "put" | "patch" | "delete";
      const check = (request: AdminRequest, body?: unknown): void => {
        if (!operation.isPublic) checkGrant(access, request, operation, body);
      };
      const isLarge = (request: Request): boolean => mayBeLarge(operation) && !isViewOnly(access, request);
      // This handler comes first, so that the body of a refused call is not read.
      route[method]((request, res, next) => {
        res.locals.adminPath = `/__admin${path}`;
        check(request);
        next();
      });
      if (method !== "get") route[method](readBodyText(operation, isLarge));
      route[method](createHandler(id, operation, server, check, isLarge));
    }
  };
  operationEntries.filter(([, { isPublic }]) => isPublic).forEach(serve);
  const { shared } = server.environments;
  // The environment of a token may be open in another process.
  if (shared) {
    router.use(async (request, _response, next) => {
      await shared.syncCopyByToken(tokenIn(request.headers.authorization));
      next();
    });
  }
  router.use(guardAdmin(access));
  operationEntries.filter(([, { isPublic }]) => !isPublic).forEach(serve);
  for (const [path, methods] of methodsByPath) router.all(expressPath(path), rejectMethod(methods));
  router.use(({ path }, _response, next) => next(pathNotFound(path)));
  router.use(refuseWithoutKeys(access.environments));
  return router;
}

const operationEntries = Object.entries(adminOperations) as [AdminOperationId, AdminOperation][];

const methodsByPath = new Map<string, string[]>();
for (const [, operation] of operationEntries) {
  for (const path of pathsOf(operation)) {
    const methods = operation.method === "GET" ? ["GET", "HEAD"] : [operation.method];
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), ...methods]);
  }
}

/** Returns a path as Express writes it: `/runs/{id}` is `/runs/:id`. */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function createHandler(
  operationId: AdminOperationId,
  operation: AdminOperation,
  server: Server,
  check: (request: AdminRequest, body?: unknown) => void,
  isLarge: (request: Request) => boolean,
): RequestHandler<AdminRequest["params"]> {
  return async (request, res) => {
    const { environment = defaultId, id } = request.params;
    const { textType } = operation;
    const parameters = parametersIn(request.url);
    const body = operation.method === "GET" ? {} : await parseBody(operation, request, isLarge(request));
    // While the body came, the environment of the token may have been deleted, and another opened with its id.
    check(request, "body" in body ? body.body : undefined);
    if (operation.path.startsWith(environmentPath)) {
      await server.environments.shared?.syncCopy(environment);
      if (server.environments.get(environment)) res.locals.environmentId = environment;
    }
    const call = {
      id,
      // A health probe may add its own query.
      query: operation.isPublic ? {} : parseQuery(operation, parameters),
      ...body,
      environment: server.environments.find(environment, request.get("environment-uid")),
      origin: originOf(request),
      isRemote: true,
    };
    const isUnready = operationId === "getHealth" && server.isStopping && parameters.has("ready");
    const performCall = async (): Promise<unknown> => {
      const response = await perform(operationId, server, call).catch(async (error: unknown) => {
        throw await withLines(error, request.body);
      });
      res.status(isUnready ? 503 : operation.status);
      return response;
    };
    res.set({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
    if (operation.isLarge) return sendLarge(res, performCall);
    const response = await performCall();
    if (textType !== undefined) res.type(`${textType}; version=0.0.4; charset=utf-8`).send(response);
    else res.json(response);
  };
}

function rejectMethod(methods: readonly string[]): RequestHandler {
  const detail = `This path takes ${new Intl.ListFormat("en").format(methods)}.`;
  return () => {
    throw new HttpError("method_not_allowed", { detail }, { Allow: methods.join(", ") });
  };
}

/** Creates the error of an unknown path. Does not quote the path, because it may contain the secret of a key. */
function pathNotFound(path: string): HttpError {
  const [, first = "", , third] = path.split("/");
  const segment = first === "environments" && third !== undefined ? third : first;
  const segments = new Set(Array.from(methodsByPath.keys(), (knownPath) => knownPath.split("/")[1] ?? ""));
  const hint = segments.has(segment) ? "" : didYouMean(segment, segments);
  const detail = `There is no such path in the admin API.${hint} /__admin/openapi.json lists them.`;
  return new HttpError("path_not_found", { detail });
}

/** Creates the handler that removes secrets from an error, because a request may have a key in the wrong place. */
function refuseWithoutKeys({ secrets }: Environments): ErrorRequestHandler {
  const redact = (detail: string): string => withoutPastedKeys(secrets.redact(detail));
  return (thrown: unknown, request, _response, next) => {
    // Express throws a URIError for an id that it cannot decode.
    const cause = thrown instanceof URIError ? pathNotFound(request.path) : thrown;
    const error = cause instanceof ControlError ? HttpError.from(cause) : cause;
    if (!(error instanceof HttpError)) return next(error);
    const problems = error.problems.map((problem) => ({ ...problem, detail: redact(problem.detail) }));
    next(new HttpError(error.code, problems, error.headers));
  };
}

/** The number of characters that are written at once. */
const pieceLength = 65_536;

/** The maximum number of simultaneous large responses, each with a whole environment. */
const maxLargeResponses = 8;

/** The time after which a client that does not read its response loses the connection. */
const readerTimeoutMs = 30_000;
let largeResponseCount = 0;

/**
 * Creates and sends a large response. Rejects with ControlError `conflict` while too many others are sent. A client
 * that does not read occupies no more memory than one piece, and loses its connection.
 */
export async function sendLarge(res: Response, createBody: () => Promise<unknown>): Promise<void> {
  const message = `${maxLargeResponses} large responses are being sent; repeat the call when one has ended.`;
  if (largeResponseCount === maxLargeResponses) throw new ControlError("conflict", message);
  largeResponseCount++;
  try {
    const body = (await createBody()) as object;
    res.setTimeout(readerTimeoutMs, () => res.destroy());
    res.type("json");
    await pipeline(chunksOf(body), res).catch((error: unknown) => {
      // The client is gone.
      if (codeOf(error) !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
    });
  } finally {
    largeResponseCount--;
  }
}

/** Yields the text of a body in pieces, between which other work continues. */
async function* chunksOf(body: object): AsyncGenerator<string> {
  const timeSlice = new TimeSlice();
  let text = "";
  for (const piece of jsonPieces(body)) {
    text += piece;
    if (text.length < pieceLength) continue;
    yield text;
    text = "";
    await timeSlice.yieldIfDue();
  }
  yield text;
}
