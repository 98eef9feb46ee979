/** The target of a request as a path, where a client wrote a whole URL as if to a proxy. */
export function originForm(url: string): string {
  if (url.startsWith("/")) return url;
  return url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "").replace(/^(?!\/)/, "/");
}
