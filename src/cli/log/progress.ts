/**
 * Shows on stderr how far a long work is: on a terminal as one line that is rewritten at every percent, elsewhere as a
 * line at every tenth.
 */
export function progress(what: string): (done: number, total: number) => void {
  const terminal = process.stderr.isTTY;
  const step = terminal ? 1 : 10;
  let shown = -1;
  return (done, total) => {
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
    const reached = percent - (percent % step);
    if (reached <= shown) return;
    shown = reached;
    const line = `${what} ${reached} %`;
    process.stderr.write(terminal ? `\r${line}${reached === 100 ? "\n" : ""}` : `${line}\n`);
  };
}
