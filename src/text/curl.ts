/** A call for a shell. */
interface CurlCall {
  /** @default GET */
  readonly method?: string;
  /** The whole address. */
  readonly url: string;
  /** Null for a call without a key. */
  readonly key: string | null;
}

/** Formats the call as a shell command, whose double quotes work in POSIX and Windows shells. */
export function asCurl({ method = "GET", url, key }: CurlCall): string {
  return [
    "curl",
    // -g stops curl from reading brackets (create_date[gte]) as a range; -w puts the prompt on its own line.
    /[[\]{}]/.test(url) ? "-g" : "",
    "-i",
    method === "HEAD" ? "" : '-w "\\n"',
    hasDots(url) ? "--path-as-is" : "",
    method === "GET" ? "" : method === "HEAD" ? "-I" : `-X ${method}`,
    key === null ? "" : `-H "Authorization: Bearer ${key}"`,
    shellWord(url),
  ]
    .filter(Boolean)
    .join(" ");
}

/** Returns true if a path has dot segments, which browsers and curl resolve before they send it. */
export function hasDots(path: string): boolean {
  return /\/\.\.?(?:[/?]|$)/.test(path);
}

/** Quotes a string as one word of a shell command if needed, with single quotes if a shell would run a part of it. */
export function shellWord(text: string): string {
  if (/^[\w:/.%@=+,-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`;
}
