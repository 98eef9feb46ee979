/** The address cannot be bound: the message is one line that says why and what to do. */
export class CannotListen extends Error {
  override readonly name = "CannotListen";
  /** The system's code: `EADDRINUSE`, `EACCES`, … */
  readonly code: string;

  constructor(port: number, host: string, cause: Error & { readonly code?: string | undefined }) {
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} on ${host} is in use; choose another with --port, or any free one with --port 0.`,
      EACCES: `Port ${port} on ${host} may not be used by this user; choose another with --port, or any free one with --port 0.`,
      EADDRNOTAVAIL: `${host} is not an address of this machine; choose one with --host.`,
      ENOTFOUND: `${host} is not an address of this machine; choose one with --host.`,
    };
    const code = cause.code ?? "";
    super(reasons[code] ?? `Cannot listen on port ${port} of ${host}: ${code || cause.message}.`, { cause });
    this.code = code;
  }
}
