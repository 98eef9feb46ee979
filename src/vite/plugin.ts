import { styleText } from "node:util";
import type { SandboxOptions } from "../public/control.ts";
import { portalLink } from "../text/origin.ts";
import { allOf } from "../text/text.ts";
import { attachSandbox, type FolderSandbox } from "./folder-sandbox.ts";
import { handleServiceRequests, type PageOptions, refuse, respond } from "./page-requests.ts";
import type { PageRequest, ViteServer } from "./vite-server.ts";

export type { PageRequest, ViteServer };

/**
 * Options of `startSandbox`. Its defaults are others: `clock` is `"now"`, `speed` 1, `scenarios` `"fixture"`, which is
 * `live-demo` in the demo, and `port`, the first one to try, OFFERING_SANDBOX_PORT or 4120. Files are named from Vite's
 * root, and the config file is looked for there.
 */
export interface SandboxPluginOptions extends SandboxOptions {
  /**
   * The key of requests without `Authorization`: `"partner"` or `"marketing"` for the first one of the first offering,
   * or else its alias or id. A function may choose for each request; undefined adds none. @default "partner"
   */
  key?: string | ((request: PageRequest) => string | undefined) | undefined;
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
 * the same folder there, and adds a key to the page's own requests below `/api/v1`. It does nothing in a build, and
 * starts no sandbox in Vitest.
 */
export function offeringSandbox({ key = "partner", ...options }: SandboxPluginOptions = {}) {
  const keyOf = typeof key === "string" ? () => key : key;
  const attach = async (server: ViteServer, pageOptions: PageOptions): Promise<void> => {
    if (server.config.plugins.some(({ name }) => /^vitest(?::|$)/.test(name))) {
      const reason = "The plugin offering-sandbox is off in Vitest: tests open a sandbox by offering-sandbox/vitest.";
      server.config.logger.info(reason);
      return handleServiceRequests(server, pageOptions, async (exchange) => refuse(exchange, 503, reason));
    }
    const folder = await attachSandbox(server, withLiveData(options));
    handleServiceRequests(server, pageOptions, (exchange, path) => respond(exchange, path, folder, keyOf));
    const { port: _port, config: _config, ...optionsOfCaller } = options;
    printAddress(server, folder, Object.keys(optionsOfCaller));
  };
  return {
    name: "offering-sandbox",
    apply: "serve" as const,
    configureServer: (server: ViteServer) => attach(server, server.config.server),
    configurePreviewServer: (server: ViteServer) => attach(server, server.config.preview),
    transformIndexHtml: {
      // Before Vite replaces those variables that it has read itself.
      order: "pre" as const,
      handler: (html: string, { server }: { readonly server?: Pick<ViteServer, "config"> | undefined }) =>
        html.replace(/%(OFFERING_SANDBOX_\w+_ID)%/g, (text, name: string) => server?.config.env[name] ?? text),
    },
  };
}

/** Adds the defaults of the plugin. A snapshot has its own clock and runs. */
function withLiveData({ clock, speed = 1, scenarios, ...options }: SandboxOptions): SandboxOptions {
  const liveDefaults = options.snapshot === undefined ? ({ clock: "now", scenarios: "fixture" } as const) : {};
  return { ...options, speed, clock: clock ?? liveDefaults.clock, scenarios: scenarios ?? liveDefaults.scenarios };
}

/** Prints a line like Vite's `  ➜  Local:   http://localhost:5173/` below it, or by itself if no tool prints that. */
function printAddress(server: ViteServer, folder: FolderSandbox, names: readonly string[]): void {
  const { printUrls, config } = server;
  const { stdout, env } = process;
  const paint: typeof styleText = stdout.isTTY && !env["NO_COLOR"] ? styleText : (_format, text) => text;
  const print = (): void => {
    const { sandbox: { url = "", adminToken } = {}, place = " (of another server of this folder)" } =
      folder.latestSandbox ?? {};
    const link = paint("cyan", portalLink(url, adminToken));
    const hint = url.endsWith(":4120") ? "" : paint("dim", `  commands: --url ${url}`);
    const owner = names.length === 0 || folder.hasOptionsOf(server) ? "" : `${place}; not applied: ${allOf(names)}`;
    config.logger.info(`  ${paint("green", "➜")}  ${paint("bold", "Sandbox")}: ${link}${hint}${owner}`);
  };
  let timer: NodeJS.Timeout | undefined;
  const printSoon = () => void (timer = setTimeout(print, 1000).unref());
  void (server.httpServer?.once("listening", printSoon) ?? printSoon());
  server.printUrls = () => {
    clearTimeout(timer);
    printUrls();
    print();
  };
}
