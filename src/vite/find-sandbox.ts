import type { LocalSandbox, Sandbox, SandboxOptions } from "../control.ts";
import { CannotListen, connectSandbox, startSandbox } from "../index.ts";

/** A sandbox of this process, or of another one, which has fewer members. */
export type FoundSandbox = Sandbox & Partial<LocalSandbox>;

/**
 * Connects to the sandbox at OFFERING_SANDBOX_URL, or else starts one, by default at OFFERING_SANDBOX_PORT or 4120. If
 * the port is in use, takes the sandbox there if it runs in the same folder, or else the next port. Rejects as
 * `connectSandbox` and `startSandbox` do.
 */
export async function findSandbox(options: SandboxOptions): Promise<FoundSandbox> {
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
