/** True for the names and addresses that lead back to this machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** True for the addresses that bind every interface. */
export function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "";
}

/** A host as a URL writes it. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
