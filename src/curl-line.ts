/** A call as a line that works when pasted into a shell, POSIX or Windows: hence the double quotes. */
export function curlLine(url: string, key: string): string {
  // Without -g, curl takes brackets (create_date[gte]) for a range of its own.
  const flags = /[[\]{}]/.test(url) ? "-g -i" : "-i";
  return `curl ${flags} -H "Authorization: Bearer ${key}" ${/[^\w:/.%-]/.test(url) ? `"${url}"` : url}`;
}
