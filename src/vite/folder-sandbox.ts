import { realpathSync } from "node:fs";
import type { EnvironmentDescription, SandboxOptions } from "../public/control.ts";
import { version } from "../package.ts";
import { checkOptions, findSandbox, type FoundSandbox } from "../sandbox/find-sandbox.ts";
import type { ViteServer } from "./vite-server.ts";

/*
 * The states of the plugin's sandbox. It belongs to a folder, Vite's root, and to the first port to try.
 *
 * sought    A server of the folder needs it: at OFFERING_SANDBOX_URL, or else at a port from the first one on.
 * owned     This process has started it. All servers of the folder use it, whatever tools they belong to. It has the
 *           options of the oldest one; those of the next apply when the oldest has closed.
 * borrowed  It runs already, at that address or for the same folder. Its own process ends it; its options apply.
 * lost      No sandbox responds there, or one with other keys does: the next request seeks it again.
 * idle      Its last server has closed. A server that opens within some seconds, as in a restart, uses it again.
 * ended     It was idle for some seconds: an owned one is closed, a borrowed one forgotten.
 */

/** The time for which a sandbox waits for the next server: some tools close a server before they open the next. */
const idleTimeoutMs = 3000;

const serializeOptions = (options: SandboxOptions | undefined): string | undefined => JSON.stringify(options);
type DescribedSandbox = FoundSandbox & { readonly description: EnvironmentDescription };
/** The sandboxes by folder and port. All copies of this module in the process share it: each tool may load its own. */
const globalRegistries = globalThis as { [registry: symbol]: Map<string, FolderSandbox> | undefined };
const registry = (globalRegistries[Symbol.for(`offering-sandbox ${version}`)] ??= new Map<string, FolderSandbox>());

/** Returns the sandbox of a server until Vite closes it. Rejects like `startSandbox` and `connectSandbox`. */
export async function attachSandbox(server: ViteServer, options: SandboxOptions): Promise<FolderSandbox> {
  const folder = realpathSync(server.config.root);
  const id = `${folder}:${options.port ?? ""}`;
  const sandbox = registry.get(id) ?? new FolderSandbox(folder, () => registry.delete(id));
  registry.set(id, sandbox);
  // Vite calls no close of its own at a restart, but that of the watcher; a preview has no watcher.
  const closable: Pick<ViteServer, "close"> = server.watcher ?? server;
  const close = closable.close.bind(closable);
  closable.close = () => close().finally(() => sandbox.detach(server));
  await sandbox.attach(server, options);
  return sandbox;
}

export class FolderSandbox {
  readonly #folder: string;
  readonly #onEnd: () => void;
  readonly #servers = new Map<ViteServer, SandboxOptions>();
  #pendingSandbox: Promise<DescribedSandbox> | undefined;
  /** The latest sandbox, which may be lost. */
  latestSandbox: DescribedSandbox | undefined;
  /** The options of an owned sandbox. */
  #options: SandboxOptions = {};
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(folder: string, onEnd: () => void) {
    this.#folder = folder;
    this.#onEnd = onEnd;
  }

  async attach(server: ViteServer, options: SandboxOptions): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#servers.set(server, options);
    try {
      if (this.#pendingSandbox) await checkOptions(this.#folder, options);
      await this.#applyOptions();
    } catch (error) {
      await this.detach(server);
      throw error;
    }
  }

  async detach(server: ViteServer): Promise<void> {
    if (!this.#servers.delete(server)) return;
    const [oldest] = this.#servers.keys();
    if (oldest) return this.#applyOptions().catch((error) => oldest.config.logger.info(`offering-sandbox: ${error}`));
    this.#idleTimer = setTimeout(async () => {
      this.#onEnd();
      await (await this.#pendingSandbox)?.sandbox.close();
    }, idleTimeoutMs);
  }

  hasOptionsOf(server: ViteServer): boolean {
    const isSame = serializeOptions(this.#servers.get(server)) === serializeOptions(this.#options);
    return isSame && this.latestSandbox?.place === undefined;
  }

  /** Returns the sandbox; seeks it if none is known. Rejects like `startSandbox` and `connectSandbox`. */
  find(): Promise<DescribedSandbox> {
    const [options = this.#options] = this.#servers.values();
    return (this.#pendingSandbox ??= this.#describe(findSandbox(this.#folder, (this.#options = options))));
  }

  /** Forgets a sandbox that does not respond. */
  lose(foundSandbox: FoundSandbox): void {
    if (this.latestSandbox === foundSandbox) this.#pendingSandbox = undefined;
  }

  refresh(foundSandbox: FoundSandbox): Promise<DescribedSandbox> {
    if (this.latestSandbox === foundSandbox) this.#pendingSandbox = this.#describe(foundSandbox);
    return this.find();
  }

  /** Describes a sandbox, and sets the variables of its servers' pages. */
  async #describe(seek: FoundSandbox | Promise<FoundSandbox>): Promise<DescribedSandbox> {
    try {
      const foundSandbox = await seek;
      const description = await foundSandbox.sandbox.describe();
      const { offerings, keys, marketing_key, partner_key } = description;
      for (const { config } of this.#servers.keys()) {
        config.env["OFFERING_SANDBOX_OFFERING_ID"] = offerings[0]?.id;
        config.env["OFFERING_SANDBOX_MARKETING_KEY_ID"] = keys.find(({ key }) => key === marketing_key)?.id;
        config.env["OFFERING_SANDBOX_PARTNER_KEY_ID"] = keys.find(({ key }) => key === partner_key)?.id;
      }
      return (this.latestSandbox = { ...foundSandbox, description });
    } catch (error) {
      this.#pendingSandbox = undefined;
      throw error;
    }
  }

  /** Gives an owned sandbox the options of its oldest server, and all servers its variables. */
  async #applyOptions(): Promise<void> {
    const foundSandbox = await this.find();
    const [options = this.#options] = this.#servers.values();
    const isEdited = foundSandbox.sandbox.reload && serializeOptions(options) !== serializeOptions(this.#options);
    // Options that fail are not tried again.
    this.#options = options;
    if (isEdited) await foundSandbox.sandbox.reload?.(options);
    await this.refresh(foundSandbox);
  }
}
