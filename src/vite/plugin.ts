import type { IncomingMessage, ServerResponse } from "node:http";
import { styleText } from "node:util";
import type { EnvironmentDescription, LocalSandbox, Sandbox, SandboxOptions } from "../control.ts";
import { CannotListen, connectSandbox, Mistake, startSandbox } from "../index.ts";
import { codeOf } from "../model/mistakes.ts";
import { basePath } from "../model/operations.ts";
import { portalLink } from "../model/origin.ts";
import { either } from "../model/text.ts";
import { forward } from "./forward.ts";

/** A request of the page, as Node has it. */
export interface PageRequest {
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Options of `startSandbox`. Its defaults are others: `clock` is `"now"`, `speed` 1, `scenarios` `"fixture"`, which is
 * `live-demo` in the demo, and `port`, the first one to try, OFFERING_SANDBOX_PORT or 4120.
 */
export interface SandboxPluginOptions extends SandboxOptions {
  /**
   * The key of requests without `Authorization`: `"partner"` or `"marketing"` for the first one of the first offering,
   * or else its alias or id. A function may choose for each request; undefined adds none. @default "partner"
   */
  key?: string | ((request: PageRequest) => string | undefined) | undefined;
}

/** The members of Vite's servers that the plugin uses: its types work with every version of Vite, and without it. */
export interface ViteServer {
  readonly config: { root: string; env: Record<string, unknown>; logger: { info: (message: string) => void } };
  readonly middlewares: {
    use: (handler: (request: object, response: object, next: (error?: unknown) => void) => Promise<void>) => unknown;
  };
  printUrls: () => void;
  close: () => Promise<void>;
}

declare global {
  /** Data for pages of the dev server: the first offering, and the ids of its keys for `key`, but no secrets. */
  interface ImportMetaEnv {
    readonly OFFERING_SANDBOX_OFFERING_ID: string | undefined;
    readonly OFFERING_SANDBOX_MARKETING_KEY_ID: string | undefined;
    readonly OFFERING_SANDBOX_PARTNER_KEY_ID: string | undefined;
  }
}

/**
 * A plugin of Vite: alongside the dev server or the preview, it runs a sandbox at http://localhost:4120, or uses one of
 * the same folder there, and adds a key to the page's requests below `/api/v1`. It does nothing in a build and in
 * Vitest.
 */
export function offeringSandbox({ key = "partner", ...options }: SandboxPluginOptions = {}) {
  const keyOf = typeof key === "string" ? () => key : key;
  const attach = (server: ViteServer): Promise<void> => attachSandbox(server, keyOf, withLiveData(options));
  return {
    name: "offering-sandbox",
    apply: (_config: object, { command }: { readonly command: string }) =>
      command === "serve" && process.env["VITEST"] === undefined,
    configureServer: attach,
    configurePreviewServer: attach,
  };
}

/** A snapshot has its own clock and runs. */
function withLiveData({ clock, speed = 1, scenarios, ...options }: SandboxOptions): SandboxOptions {
  const live = options.snapshot === undefined ? ({ clock: "now", scenarios: "fixture" } as const) : {};
  return { ...options, speed, clock: clock ?? live.clock, scenarios: scenarios ?? live.scenarios };
}

/** A sandbox of this process, or of another one, which has fewer members. */
type FoundSandbox = Sandbox & Partial<LocalSandbox>;

/**
 * Connects to the sandbox at OFFERING_SANDBOX_URL, or else starts one, by default at OFFERING_SANDBOX_PORT or 4120. If
 * the port is in use, takes the sandbox there if it runs in the same folder, or else the next port. Rejects as
 * `connectSandbox` and `startSandbox` do.
 */
async function findSandbox(options: SandboxOptions): Promise<FoundSandbox> {
  const { OFFERING_SANDBOX_URL: url, OFFERING_SANDBOX_PORT, OFFERING_SANDBOX_ADMIN_TOKEN } = process.env;
  const access = { token: options.adminToken ?? (OFFERING_SANDBOX_ADMIN_TOKEN || undefined) };
  if (url) return connectSandbox(url, access);
  const first = options.port ?? Number(OFFERING_SANDBOX_PORT || 4120);
  for (let port = first; ; port++) {
    try {
      return await startSandbox({ ...options, port });
    } catch (error) {
      if (!(error instanceof CannotListen && error.code === "EADDRINUSE")) throw error;
      const other = await connectSandbox(`http://localhost:${port}`, access).catch(() => undefined);
      const server = await other?.server().catch(() => undefined);
      if (other && server?.folder === process.cwd()) return other;
    }
  }
}

/**
 * The sandboxes of folders, each with its latest server, which ends it, and with its options as JSON. They outlive
 * restarts of Vite, each of which creates a new server and a new plugin.
 */
const keptByRoot = new Map<string, { found?: Promise<FoundSandbox>; server?: ViteServer; options?: string }>();

async function attachSandbox(
  server: ViteServer,
  keyOf: (request: PageRequest) => string | undefined,
  options: SandboxOptions,
): Promise<void> {
  const { config, middlewares, printUrls, close } = server;
  const kept = keptByRoot.get(config.root) ?? {};
  const find = (): Promise<FoundSandbox> =>
    (kept.found ??= findSandbox(options).catch((error: unknown) => {
      delete kept.found;
      throw error;
    }));
  const sandbox = await find();
  const json = JSON.stringify(options);
  if (kept.server && kept.options !== json) await sandbox.reload?.(options);
  keptByRoot.set(config.root, Object.assign(kept, { server, options: json }));
  const description = await sandbox.describe();
  const idOf = (secret: string | null): string | undefined => description.keys.find(({ key }) => key === secret)?.id;
  config.env["OFFERING_SANDBOX_OFFERING_ID"] = description.offerings[0]?.id;
  config.env["OFFERING_SANDBOX_MARKETING_KEY_ID"] = idOf(description.marketing_key);
  config.env["OFFERING_SANDBOX_PARTNER_KEY_ID"] = idOf(description.partner_key);

  middlewares.use(async (request, response, next) => {
    const page = request as IncomingMessage;
    if (!page.url?.startsWith(`${basePath}/`)) return next();
    try {
      const secret = secretOf(keyOf(page), description);
      await forward(page, response as ServerResponse, (await find()).url, secret);
    } catch (error) {
      // The process that ran the sandbox has ended: the next request finds or starts another sandbox.
      if (codeOf(error) === "ECONNREFUSED") delete kept.found;
      next(error);
    }
  });
  server.printUrls = () => {
    printUrls();
    config.logger.info(addressLine(sandbox));
  };
  server.close = async () => {
    await close();
    if (kept.server !== server) return;
    keptByRoot.delete(config.root);
    await (await kept.found)?.close();
  };
}

/** Throws Mistake for a name that no key has, without repeating it: somebody may have written a secret there. */
function secretOf(name: string | undefined, { keys, ...environment }: EnvironmentDescription): string | undefined {
  if (name === undefined) return undefined;
  const types = new Map(Object.entries({ marketing: environment.marketing_key, partner: environment.partner_key }));
  const secret = types.get(name) ?? keys.find(({ id, alias }) => id === name || alias === name)?.key;
  if (secret !== undefined) return secret;
  const names = either([...types.keys(), ...keys.map(({ id, alias }) => alias ?? id)]);
  throw new Mistake(`The key for the page is none of the sandbox's; expected ${names}.`);
}

/** Writes a line like Vite's `  ➜  Local:   http://localhost:5173/`. Commands need the address at other ports. */
function addressLine({ url, adminToken }: FoundSandbox): string {
  const { stdout, env } = process;
  const paint: typeof styleText = stdout.isTTY && !env["NO_COLOR"] ? styleText : (_format, text) => text;
  const link = paint("cyan", portalLink(url, adminToken));
  const hint = url.endsWith(":4120") ? "" : paint("dim", `  commands: --url ${url}`);
  return `  ${paint("green", "➜")}  ${paint("bold", "Sandbox")}: ${link}${hint}`;
}
