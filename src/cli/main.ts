import { readCommandLine } from "./command-line.ts";
import { commands } from "./commands.ts";
import { exitCodeOf, explain } from "./failure.ts";
import { printError } from "./output/terminal.ts";

/** Runs a command line and sets the process's exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  outliveReaders();
  try {
    process.exitCode = (await readCommandLine(argv, commands)?.()) ?? 0;
  } catch (error) {
    if (isReaderGone(error)) return;
    printError(explain(error));
    process.exitCode = exitCodeOf(error);
  }
}

/** A reader of our output may leave, as `head` does: that ends no sandbox and is no failure. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (!isReaderGone(error)) throw error;
    });
  }
}

function isReaderGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}
