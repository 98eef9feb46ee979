import { fstatSync, writeFileSync } from "node:fs";
import { ControlError } from "../errors/control-error.ts";
import { codeOf, ValidationError, FileReadError, FileWriteError } from "../validation/errors.ts";
import { readCommandLine } from "./command-line.ts";
import { commands } from "./commands.ts";
import { printError } from "./output/terminal.ts";
import { explain } from "./output/text.ts";

/** Runs a command line and sets the process's exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const isLost = handleOutputErrors();
  try {
    const code = await readCommandLine(argv, commands)?.();
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    if (isLost(error)) return;
    printError(explain(error));
    process.exitCode = exitCodeOf(error);
  }
}

/** 2 for invalid input, a file that cannot be read included; 1 for every other error. */
function exitCodeOf(error: unknown): 1 | 2 {
  const isInput = error instanceof ValidationError || error instanceof FileReadError;
  const isValidationError = isInput || (error instanceof ControlError && error.code === "invalid");
  return isValidationError ? 2 : 1;
}

/**
 * Reports unwritable output, as on a full disk, once on stderr, and sets the exit code if there is none; a sandbox goes
 * on. A reader may leave early, as `head` does. Returns a function that recognizes such an error.
 */
function handleOutputErrors(): (error: unknown) => boolean {
  let last: unknown;
  let isReported = false;
  writeWhole(process.stdout);
  process.stdout.on("error", (error) => {
    last = error;
    if (isReported || codeOf(error) === "EPIPE") return;
    isReported = true;
    process.exitCode ??= 1;
    printError(new FileWriteError("The output", error).message);
  });
  // stderr itself failed.
  process.stderr.on("error", (error) => (last = error));
  return (error) => error === last;
}

/** Makes a stream to a file write all of each text: Node writes once, and drops the rest if the disk is full. */
function writeWhole(stream: typeof process.stdout): void {
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
