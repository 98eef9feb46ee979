import { fstatSync, writeFileSync } from "node:fs";
import { ControlError } from "../errors/control-error.ts";
import { codeOf, ValidationError, FileReadError, FileWriteError } from "../validation/errors.ts";
import { readCommandLine } from "./command-line.ts";
import { commands } from "./commands.ts";
import { printError } from "./output/terminal.ts";
import { formatError } from "./output/text.ts";

/** Runs a command line and sets the process's exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const isOutputError = handleOutputErrors();
  try {
    const code = await readCommandLine(argv, commands)?.();
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    if (isOutputError(error)) return;
    printError(formatError(error));
    process.exitCode = exitCodeOf(error);
  }
}

/** Returns 2 for invalid input, including an unreadable file; 1 for every other error. */
function exitCodeOf(error: unknown): 1 | 2 {
  const isInvalidInput = error instanceof ValidationError || error instanceof FileReadError;
  const isInvalid = isInvalidInput || (error instanceof ControlError && error.code === "invalid");
  return isInvalid ? 2 : 1;
}

/**
 * Reports unwritable output, such as on a full disk, once on stderr, and sets the exit code if it is not set. A sandbox
 * continues to run. A closed pipe is not reported, because its reader may end early, like `head`. Returns a function
 * that returns true for such an error.
 */
function handleOutputErrors(): (error: unknown) => boolean {
  let lastError: unknown;
  let isReported = false;
  writeCompletely(process.stdout);
  process.stdout.on("error", (error) => {
    lastError = error;
    if (isReported || codeOf(error) === "EPIPE") return;
    isReported = true;
    process.exitCode ??= 1;
    printError(new FileWriteError("The output", error).message);
  });
  // If stderr fails, the error cannot be reported.
  process.stderr.on("error", (error) => (lastError = error));
  return (error) => error === lastError;
}

/** Makes a stream to a file write each chunk completely. Node writes only a part if the disk is nearly full. */
function writeCompletely(stream: typeof process.stdout): void {
  if (stream.isTTY || !isRegularFile(stream.fd)) return;
  // oxlint-disable-next-line no-underscore-dangle -- Node's name
  stream._write = (chunk: Buffer, _encoding, done) => {
    try {
      writeFileSync(stream.fd, chunk);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}

function isRegularFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}
