import { Mistake } from "../model/mistakes.ts";
import { type Command, type CommandLine, commonFlags, readCommandLine, splitAtTerminator } from "./command-line.ts";
import { loadCommand, nameCommand } from "./commands.ts";
import { exitCodeOf, explain } from "./failure.ts";

/** Runs a command line and sets the process's exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  outliveReaders();
  try {
    process.exitCode = await run(argv);
  } catch (error) {
    if (isReaderGone(error)) return;
    console.error(explain(error));
    process.exitCode = exitCodeOf(error);
  }
}

async function run(argv: readonly string[]): Promise<number> {
  const { name, args } = nameCommand(argv);
  if (asks(args, "--version", "-v")) {
    const { version } = await import("../package.ts");
    console.log(version);
    return 0;
  }
  if (asks(args, "--help", "-h")) {
    const { help } = await import("./help.ts");
    console.log(await help(name));
    return 0;
  }
  const command = await loadCommand(name);
  const line = readCommandLine(args, { ...command.flags, ...commonFlags });
  checkOperands(name, command, line);
  return command.run(line);
}

function checkOperands(name: string, command: Command, { operands, behindTerminator }: CommandLine): void {
  const { operand, behindTerminator: wanted } = command;
  if (wanted !== undefined && (operands.length > 0 || behindTerminator.length === 0)) {
    const line = operands.length > 0 ? operands.join(" ") : "npm test";
    throw new Mistake(`${name} needs a ${wanted} behind --: offering-sandbox ${name} -- ${line}`);
  }
  const isNeeded = operand !== undefined && !operand.startsWith("[");
  if (isNeeded && operands.length === 0) throw new Mistake(`${name} needs a ${operand}.`);
  const tooMuch = operands[operand === undefined ? 0 : 1] ?? (wanted === undefined ? behindTerminator[0] : undefined);
  if (tooMuch !== undefined) throw new Mistake(`${name} does not take "${tooMuch}".`);
}

/** What stands behind `--` is somebody else's. */
function asks(args: readonly string[], long: string, short: string): boolean {
  const [own] = splitAtTerminator(args);
  return own.includes(long) || own.includes(short);
}

/** Whoever reads our output may leave, as `head` does: that ends no sandbox and is no failure. */
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
