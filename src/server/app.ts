import express from "express";
import type { ErrorRequestHandler, Express, RequestHandler, Response } from "express";
import { type AdminAccess, guardAdmin } from "../admin/access.ts";
import type { Server } from "../control/call.ts";
import type { Environments } from "../environment/environments.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import { HttpError } from "../errors/http-error.ts";
import { originOf } from "../text/origin.ts";
import { withoutLookalikes } from "../secrets/secrets.ts";
import { basePath, operations } from "../model/operations.ts";
import { version } from "../package.ts";
import { problemResponse, recordCall } from "../service/response.ts";
import { millisecondsSince, readCall, type ServiceOptions } from "../service/call.ts";
import { logEntry } from "../service/journal.ts";
import { addService, refuseStray } from "../service/service.ts";
import { parseTarget, redactedTarget, servicePaths } from "../service/target.ts";
import { Histogram } from "../time/histogram.ts";
import { createHostCheck } from "./host-check.ts";
import { refusals } from "./listen.ts";

declare global {
  namespace Express {
    interface Locals {
      /** The error of a response that is not from the service. */
      error?: HttpError;
      /** The environment that a call to the admin API is about. */
      environmentId?: string;
      /** The path of that call's operation. */
      adminPath?: string;
    }
  }
}

interface AppOptions extends ServiceOptions, AdminAccess {
  readonly environments: Environments;
  readonly server: Server;
  /** The address to bind; undefined for both loopbacks. */
  readonly host: string | undefined;
  readonly allowedHosts: readonly string[];
}

export function createApp(options: AppOptions): Express {
  const { environments, server, onRequest, onFailure } = options;
  const app = express();
  for (const name of ["etag", "x-powered-by", "query parser"]) app.disable(name);
  for (const name of ["case sensitive routing", "strict routing"]) app.enable(name);

  if (onRequest) app.use(createLog(onRequest, environments));
  const checkHost = createHostCheck(options.host, options.allowedHosts);
  app.use((request, res, next) => {
    const refusal = refusals.get(request);
    if (refusal) return refuse(res, refusal, options);
    checkHost(request);
    return next();
  });
  addService(app, options);
  app.use((_request, res, next) => {
    res.setHeader("Sandbox-Version", version);
    next();
  });
  app
    .route("/openapi.json")
    .all((_request, res, next) => {
      // Editors in the browser load the schema from any origin; it is public in this package anyway.
      res.set("Access-Control-Allow-Origin", "*");
      next();
    })
    .get(async (request, res) => {
      // Modules for only some requests are loaded with the first such request, so that the start is short.
      const { describeService } = await import("./service-description.ts");
      res.json(await describeService(environments.default, originOf(request)));
    })
    .options((_request, res) => {
      res.set({ "Access-Control-Allow-Methods": "GET, HEAD", "Access-Control-Allow-Headers": "*" }).sendStatus(204);
    });
  // The page has no data, and a browser cannot send a token for it.
  const portalGuard = guardAdmin({ ...options, adminToken: null }, true);
  app.get(["/", "/portal/:file"], portalGuard, async (request, res, next) =>
    (await import("./portal.ts")).servePortal(request, res, next),
  );
  let admin: RequestHandler | undefined;
  app.use("/__admin", async (request, res, next) => {
    admin ??= (await import("../admin/admin-router.ts")).createAdminRouter(options, server);
    await admin(request, res, next);
  });
  app.use(refuseStray(options));
  app.use(createErrorHandler(onFailure));
  return app;
}

/** Responds to a request that cannot be read. The journal of the default environment records one to the service. */
function refuse(res: Response, refusal: HttpError, options: AppOptions): void {
  const service: ServiceOptions = { ...options, onResponse: () => false };
  const { originalUrl: url, method } = res.req;
  const { status, headers, body } = problemResponse(refusal);
  res.locals.error = refusal;
  res.writeHead(status, headers).end(body);
  if (!servicePaths.test(url)) return;
  const call = readCall({ target: parseTarget(url), method, authorization: "", isFromPortal: false }, service);
  res.locals.call = { ...call, hints: reasonsFor(refusal, service.environments.secrets) };
  recordCall(res, { status, code: refusal.code });
}

const polled = /^\/__admin\/(?:health|(?:environments\/[^/]+\/)?pulse)$/;

/** Logs a request when it is over, unless its path is polled or the service recorded it. */
function createLog(onRequest: NonNullable<ServiceOptions["onRequest"]>, { secrets }: Environments): RequestHandler {
  return (request, res, next) => {
    const start = performance.now();
    res.once("close", () => {
      const { error, environmentId } = res.locals;
      if (polled.test(request.originalUrl.split("?", 1)[0] ?? "") || "call" in res.locals) return;
      onRequest(
        logEntry({
          method: request.method,
          path: secrets.redact(redactedTarget(request.originalUrl)),
          status: res.headersSent ? res.statusCode : null,
          code: error?.code ?? null,
          duration_ms: millisecondsSince(start),
          environment: environmentId === undefined ? null : secrets.redact(environmentId),
          hints: error ? reasonsFor(error, secrets) : [],
        }),
      );
    });
    next();
  };
}

/** Returns the errors in a request, one per line, without what may be a key in the wrong place. */
function reasonsFor({ problems }: HttpError, secrets: Environments["secrets"]): string[] {
  return problems.flatMap(({ detail }) => secrets.redact(withoutLookalikes(detail)).split("\n"));
}

function createErrorHandler(onFailure: (error: unknown) => void): ErrorRequestHandler {
  return (thrown: unknown, _request, res, next) => {
    if (res.headersSent) return next(thrown);
    const error = HttpError.from(thrown);
    if (error.code === "internal_error") onFailure(thrown);
    res.locals.error = error;
    const { status, headers, body } = problemResponse(error);
    return res.writeHead(status, headers).end(body);
  };
}

/** Stands for any method or path that the server does not have. The name is OpenTelemetry's. */
const otherName = "_OTHER";

/** The routes of the service, made once: each request needs one. */
const routes = new Map(operations.map((operation) => [operation, basePath + operation.path.replace(":id", "{id}")]));

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** What a server counts from its start, for `GET /__admin/metrics`. */
export class RequestCounts {
  /** By method, route and status: 0 if the client got none. */
  readonly durations = new Histogram();
  limited = 0;
  faults = 0;

  /** Counts a request once its response is out, or its client gone. */
  watch({ method = "" }: IncomingMessage, res: ServerResponse): void {
    const start = performance.now();
    // A response closes once; `once` would cost each request a wrapper more.
    res.on("close", () => {
      const { call, adminPath } = (res as Response).locals;
      const operation = call?.target.route?.operation;
      const route = operation ? routes.get(operation) : (adminPath ?? otherName);
      const status = res.headersSent ? res.statusCode : 0;
      const labelValues = `${knownMethods.has(method) ? method : otherName} ${route} ${status}`;
      this.durations.record(labelValues, performance.now() - start);
      if (call?.retryInMs !== undefined) this.limited += 1;
      if (call?.fault) this.faults += 1;
    });
  }
}
