import type { Writable } from "node:stream";

/**
 * Writes lines in the order in which they come, all lines of a turn of the event loop at once: a write of its own for
 * each request would cost more than the request.
 */
export function lineWriter(stream: Writable): (line: string) => void {
  let waiting = "";
  const flush = (): void => {
    stream.write(waiting);
    waiting = "";
  };
  return (line) => {
    if (waiting === "") setImmediate(flush);
    waiting += `${line}\n`;
  };
}
