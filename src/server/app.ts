import express from "express";
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from "express";
import { guardAdmin } from "../admin/access.ts";
import type { AdminOptions } from "../admin/admin-router.ts";
import type { RequestEntry, Sandbox } from "../control.ts";
import { health } from "../control/operations.ts";
import { HttpError, serializeError } from "../errors/http-error.ts";
import { version } from "../package.ts";
import { askedBy, callOf } from "../service/call.ts";
import { createService, type ServiceOptions } from "../service/service.ts";
import { printableTarget } from "../service/target.ts";
import { createHostCheck } from "./host-check.ts";
import type { PageContent } from "./page.ts";

/** The largest request body, in bytes. */
const largestBody = 5 * 1024 * 1024;

/**
 * Refuses bodies that say they are too large, by throwing HttpError, and reads none of those that do not say: after the
 * answer to a request with a body the connection ends, so that nobody can go on sending. A snapshot may be larger: the
 * admin API bounds it itself.
 */
function limitBody(request: Request, response: Response): void {
  const declared = Number(request.headers["content-length"] ?? 0);
  const hasBody = declared > 0 || request.headers["transfer-encoding"] !== undefined;
  if (hasBody) response.setHeader("Connection", "close");
  if (declared <= largestBody || request.path.endsWith("/snapshot")) return;
  throw new HttpError("body_too_large", { detail: "A request body may have 5 MB." });
}

/** Makes what tells of a request when its answer is out, or when its client is gone. */
function createRequestLog(
  onRequest: (entry: RequestEntry) => void,
  conceal: (text: string) => string,
): (request: Request, response: Response) => void {
  return (request, response) => {
    const start = performance.now();
    response.once("close", () => {
      const call = callOf(response);
      onRequest({
        method: request.method,
        path: call?.printed ?? conceal(printableTarget(request.originalUrl)),
        status: response.headersSent ? response.statusCode : 0,
        milliseconds: Math.round((performance.now() - start) * 100) / 100,
        key_id: call ? askedBy(call) : null,
        environment: call?.environment.id ?? null,
        hints: [...(call?.hints ?? [])],
      });
    });
  };
}

/** What the server is made with. */
interface AppOptions {
  readonly api: ServiceOptions;
  readonly admin: { readonly open: boolean; readonly token: string | null };
  /** The address that was asked for; undefined for both loopbacks. */
  readonly host: string | undefined;
  readonly allowedHosts: readonly string[];
  /** Undefined where nobody is to be told. */
  readonly onRequest: ((entry: RequestEntry) => void) | undefined;
  /** What the page at `/` shows. */
  readonly pageContent: () => PageContent;
  /** The OpenAPI document of the service. */
  readonly openApi: () => Promise<unknown>;
  /** What the admin API commands. */
  readonly sandbox: Sandbox;
}

/** Every path that the server answers. */
export function createApp(options: AppOptions): Express {
  const { api, onRequest } = options;
  const app = express();
  for (const name of ["etag", "x-powered-by", "query parser"]) app.disable(name);
  for (const name of ["case sensitive routing", "strict routing"]) app.enable(name);

  const guard = guardAdmin(options.admin);
  const checkHost = createHostCheck(options.host, options.allowedHosts);
  const log = onRequest && createRequestLog(onRequest, api.directory.conceal);
  const admit = (request: Request, response: Response): void => {
    checkHost(request);
    limitBody(request, response);
  };
  const service = createService(api);
  // Mounted everywhere: below a path of its own, Express would take every target apart and put it together again.
  app.use((request, response, next) => {
    if (!isBelow(api.basePath, request.url)) {
      next();
      return undefined;
    }
    log?.(request, response);
    admit(request, response);
    return service(request, response);
  });
  app.use((_request, response, next) => {
    response.setHeader("Sandbox-Version", version);
    next();
  });
  // Not logged: whoever waits for the sandbox asks often.
  app.get("/__admin/health", (request, response) => {
    admit(request, response);
    response.json(health());
  });
  app.use((request, response, next) => {
    log?.(request, response);
    admit(request, response);
    next();
  });
  app.get("/openapi.json", async (_request, response) => {
    response.json(await options.openApi());
  });
  // The page and the admin API are loaded when somebody asks for them: a start does not wait for them.
  app.get("/", guard, async (_request, response) => {
    const { contentSecurityPolicy, page } = await import("./page.ts");
    response.set("Content-Security-Policy", contentSecurityPolicy).type("html").send(page(options.pageContent()));
  });
  let adminRouter: Promise<RequestHandler> | undefined;
  app.use("/__admin", async (request, response, next) => {
    adminRouter ??= loadAdminRouter({ guard, sandbox: options.sandbox });
    (await adminRouter)(request, response, next);
  });
  app.use(() => {
    throw new HttpError("path_not_found", { detail: `There is no such path. The API begins at ${api.basePath}.` });
  });
  const answerError: ErrorRequestHandler = (thrown: unknown, _request, response, next) => {
    if (response.headersSent) return next(thrown);
    const error = HttpError.from(thrown);
    if (error !== thrown) api.onFailure(thrown);
    const { contentType, text } = serializeError(error, "problem", "");
    response.writeHead(error.status, {
      "Sandbox-Version": version,
      "Content-Type": contentType,
      "Content-Length": Buffer.byteLength(text),
      ...error.headers,
    });
    return response.end(text);
  };
  app.use(answerError);
  return app;
}

/** Whether a target is this path, or below it. */
function isBelow(path: string, target: string): boolean {
  return target.startsWith(path) && ["/", "?", undefined].includes(target[path.length]);
}

async function loadAdminRouter(options: AdminOptions): Promise<RequestHandler> {
  const { createAdminRouter } = await import("../admin/admin-router.ts");
  return createAdminRouter(options);
}
