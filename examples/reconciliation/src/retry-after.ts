/** How long to wait if a 429 does not say: the length of the service's minute. */
const wholeWindow = 60;

/** The seconds that a Retry-After header names, as a number of seconds or as a date. */
export function retryAfterSeconds(header: string | null, now = Date.now()): number {
  if (header === null) return wholeWindow;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? wholeWindow : Math.max(1, Math.ceil((date - now) / 1000));
}
