import { connectSandbox } from "../client/connect.ts";
import type { LocalSandbox, Sandbox, SandboxOptions } from "../public/control.ts";
import { ListenError } from "../errors/control-error.ts";
import { formatPlace } from "../text/origin.ts";
import { sandboxSettings } from "../settings/settings.ts";
import { readAll } from "../settings/values.ts";
import { configure } from "./configuration.ts";
import { startRunning } from "./start-running.ts";

/** A sandbox of this process, or a sandbox of another process, which has no members of LocalSandbox. */
export interface FoundSandbox {
  readonly sandbox: Sandbox & Partial<LocalSandbox>;
  /** Where the sandbox of another process runs: ` (in /home/ada/app, since …)`. */
  readonly place?: string;
}

/** Rejects with ValidationError if no sandbox of the folder can have the options. */
export async function checkOptions(folder: string, options: SandboxOptions): Promise<void> {
  await configure(options, { folder });
}

/**
 * Connects to the sandbox at OFFERING_SANDBOX_URL, or else starts one, by default at OFFERING_SANDBOX_PORT or 4120. If
 * the port is in use, returns the sandbox there if it is for the same folder and needs no token, or else tries the next
 * port. Rejects like `connectSandbox` and `startSandbox`.
 */
export async function findSandbox(folder: string, options: SandboxOptions): Promise<FoundSandbox> {
  const { OFFERING_SANDBOX_URL: url, OFFERING_SANDBOX_PORT: text, OFFERING_SANDBOX_ADMIN_TOKEN } = process.env;
  if (url) {
    const sandbox = await connectSandbox(url, {
      token: options.adminToken ?? (OFFERING_SANDBOX_ADMIN_TOKEN || undefined),
    });
    return { sandbox, place: formatPlace(await sandbox.server()) };
  }
  const textValues = text ? [{ setting: "port", text, place: "OFFERING_SANDBOX_PORT" }] : [];
  for (let port = options.port ?? readAll({ port: sandboxSettings.port }, textValues).port; ; port++) {
    try {
      return await startRunning({ ...options, port }, { folder });
    } catch (error) {
      if (!(error instanceof ListenError && error.code === "EADDRINUSE")) throw error;
      if (error.sandbox === undefined) continue;
      // The user did not name this address, so it gets no token: any program may claim to be a sandbox of the folder.
      const sandbox = await connectSandbox(`http://localhost:${port}`).catch(() => undefined);
      const server = await sandbox?.server().catch(() => undefined);
      if (sandbox && server?.folder === folder) return { sandbox, place: formatPlace(server) };
    }
  }
}
