import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import { guardAdmin } from "../admin/access.ts";
import type { AdminOptions } from "../admin/admin-router.ts";
import { health } from "../admin/health.ts";
import { createService, type ServiceOptions } from "../api/service.ts";
import type { RequestEntry, Sandbox } from "../control.ts";
import { HttpError } from "../errors/http-error.ts";
import { serializeError } from "../errors/serialize.ts";
import type { PageContent } from "../portal/page.ts";
import { version } from "../version.ts";
import { limitBody } from "./body-limit.ts";
import { createHostCheck } from "./host-check.ts";
import { createRequestLog } from "./request-log.ts";

/** What the server is made with. */
export interface AppOptions {
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
    response.json(health(version));
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
    const { contentSecurityPolicy, page } = await import("../portal/page.ts");
    response.set("Content-Security-Policy", contentSecurityPolicy).type("html").send(page(options.pageContent()));
  });
  let adminRouter: Promise<RequestHandler> | undefined;
  app.use("/__admin", async (request, response, next) => {
    adminRouter ??= loadAdminRouter({ guard, sandbox: options.sandbox, version, openApi: adminOpenApi });
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

async function adminOpenApi(): Promise<unknown> {
  const { adminOpenApiDocument } = await import("../openapi/admin/admin-openapi-document.ts");
  return adminOpenApiDocument(version);
}
