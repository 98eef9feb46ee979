import type { IncomingMessage, ServerResponse } from "node:http";
import { type Exchange, forwardResponse, sendToSandbox } from "../client/forward.ts";
import type { EnvironmentDescription } from "../public/control.ts";
import { codeOf, ValidationError } from "../validation/errors.ts";
import { basePath, operations } from "../model/operations.ts";
import { either } from "../text/text.ts";
import { type HostOptions, whyForeign } from "../server/host-check.ts";
import type { FolderSandbox } from "./folder-sandbox.ts";
import type { PageRequest, ViteServer } from "./vite-server.ts";

/** The options of Vite's dev server or preview that decide which requests the plugin takes. */
export interface PageOptions extends HostOptions {
  readonly proxy?: object | undefined;
}

const operationPaths = operations.map(({ path }) => path.replace(":id", "[\\da-f-]{36}")).join("|");
const operation = new RegExp(`^(?:GET|HEAD) ${basePath}(?:${operationPaths})(?:\\?|$)`, "i");

/**
 * Handles the requests below `/api/v1`, at the root or at the base of the page. Preflights are left to Vite, and so is
 * what a rule of `proxy` takes and no operation does. A request that may not have the key reaches no sandbox.
 */
export function handleServiceRequests(
  { config, middlewares }: ViteServer,
  { proxy = {}, ...hosts }: PageOptions,
  handle: (exchange: Exchange, path: string) => Promise<void>,
): void {
  middlewares.use(async (req, res, next) => {
    const exchange = { req: req as IncomingMessage, res: res as ServerResponse };
    const { url = "", method, headers } = exchange.req;
    const path = url.startsWith(config.base + basePath.slice(1)) ? url.slice(config.base.length - 1) : url;
    const matchesRule = (rule: string) => (rule.startsWith("^") ? new RegExp(rule).test(url) : url.startsWith(rule));
    const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
    const isProxied = !operation.test(`${method} ${path}`) && Object.keys(proxy).some(matchesRule);
    if (!path.startsWith(`${basePath}/`) || isPreflight || isProxied) return next();
    const reason = whyForeign(exchange.req, hosts);
    if (reason !== undefined) return refuse(exchange, 403, reason);
    try {
      await handle(exchange, path);
    } catch (error) {
      next(error);
    }
  });
}

export function refuse({ res }: Exchange, status: number, detail: string): void {
  res.writeHead(status, { "Content-Type": "application/problem+json" }).end(JSON.stringify({ status, detail }));
}

/** Passes the response of the sandbox on. Seeks the sandbox once more if it is lost; rejects if none is to be had. */
export async function respond(
  exchange: Exchange,
  path: string,
  folder: FolderSandbox,
  keyOf: (page: PageRequest) => string | undefined,
): Promise<void> {
  const { req } = exchange;
  for (let canRepeat = true; ; canRepeat = false) {
    const foundSandbox = await folder.find();
    const secret = secretOf(keyOf(req), foundSandbox.description);
    const response = await sendToSandbox(exchange, foundSandbox.sandbox.url, path, secret).catch(codeOf);
    const isOurs = typeof response === "object" && "sandbox-version" in response.headers;
    if (isOurs) {
      const isUnknown = canRepeat && response.statusCode === 401 && req.headers.authorization === undefined;
      const description = isUnknown ? (await folder.refresh(foundSandbox)).description : foundSandbox.description;
      if (secretOf(keyOf(req), description) === secret) return forwardResponse(response, exchange);
    } else if (typeof response === "object" || response === "ECONNREFUSED") {
      folder.lose(foundSandbox);
      if (!canRepeat) throw new Error(`No sandbox responds at ${foundSandbox.sandbox.url}.`);
    } else return void req.socket.destroy();
    if (typeof response === "object") response.destroy();
  }
}

/** Returns the secret of a key. Throws ValidationError for a name that no key has, which may be a pasted secret. */
function secretOf(name: string | undefined, { keys, ...environment }: EnvironmentDescription): string | undefined {
  if (name === undefined) return undefined;
  const types = new Map(Object.entries({ marketing: environment.marketing_key, partner: environment.partner_key }));
  const secret = types.get(name) ?? keys.find(({ id, alias }) => id === name || alias === name)?.key;
  if (secret !== undefined) return secret;
  const names = either([...types.keys(), ...keys.map(({ id, alias }) => alias ?? id)]);
  throw new ValidationError(`The sandbox has no such key for the page; expected ${names}.`);
}
