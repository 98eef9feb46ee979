import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createLogger, createServer, type InlineConfig, type ViteDevServer } from "vite";
import { onTestFinished } from "vitest";
import { connectSandbox, type Sandbox } from "../../src/index.ts";
import { offeringSandbox, type SandboxPluginOptions } from "../../src/vite/plugin.ts";
import { temporaryFolder } from "../cli/cli.ts";
import { freePort } from "../support/free-port.ts";

/** A dev server with the plugin, for the length of a test. */
export interface ServedPage {
  readonly vite: ViteDevServer;
  /** The address of the page, with a slash at its end. */
  readonly url: string;
  /** A connection to the sandbox of the dev server. */
  readonly sandbox: Sandbox;
  /** The lines that Vite has printed. */
  readonly lines: string[];
}

/** A folder with these files; `index.html` is empty unless it is one of them. */
export async function projectWith(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = temporaryFolder();
  for (const [file, text] of Object.entries({ "index.html": "", ...files })) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  return root;
}

/** The config of a project with the plugin. Its lines go to `lines`. */
export async function configWith(options: SandboxPluginOptions, lines: string[] = []): Promise<InlineConfig> {
  const info = (line: string): void => void lines.push(line);
  return {
    root: await projectWith(),
    configFile: false,
    customLogger: { ...createLogger("silent"), info, error: info },
    server: { port: 0 },
    preview: { port: 0 },
    plugins: [offeringSandbox({ config: false, port: await freePort(), ...options })],
  };
}

/** Starts the dev server of a config for the length of a test. */
export async function serve(config: InlineConfig): Promise<Pick<ServedPage, "vite" | "url">> {
  const vite = await createServer(config);
  onTestFinished(() => vite.close());
  await vite.listen();
  return { vite, url: vite.resolvedUrls?.local[0] ?? "" };
}

/** The address of the sandbox in the lines of Vite. */
export function addressIn(lines: readonly string[]): string {
  return /Sandbox: (http:\/\/localhost:\d+)/.exec(lines.join("\n"))?.[1] ?? "";
}

/** Starts a dev server with the plugin for the length of a test, by default with the page `index.html`. */
export async function servePage(options: SandboxPluginOptions = {}, config: InlineConfig = {}): Promise<ServedPage> {
  const lines: string[] = [];
  const served = await serve({ ...(await configWith(options, lines)), ...config });
  served.vite.printUrls();
  return { ...served, lines, sandbox: await connectSandbox(addressIn(lines)) };
}
