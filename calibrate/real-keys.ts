import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { printError } from "../src/cli/output/terminal.ts";
import { readTextFile } from "../src/files/file.ts";
import { ValidationError, FileReadError } from "../src/validation/errors.ts";

const maxKeys = 4;

export interface KeyOptions {
  readonly keyFile: string | undefined;
  /** The environment variable with keys. */
  readonly keysVariable: string;
}

/**
 * Reads the keys of the real service from a file, the variable, or the terminal without echo. Throws a ValidationError,
 * which never quotes a key, if there is no key, or if the text of a key is invalid.
 */
export async function readKeys({ keyFile, keysVariable }: KeyOptions): Promise<readonly string[]> {
  const isInteractive = process.stdin.isTTY && process.stderr.isTTY;
  const keyText = keyFile === undefined ? (process.env[keysVariable] ?? "") : await readKeyFile(keyFile);
  const keys = keyFile === undefined && keyText.trim() === "" && isInteractive ? await promptKeys() : keysIn(keyText);
  if (keys.length === 0)
    throw new ValidationError(
      keyFile === undefined
        ? `calibrate needs a key: --key-file, or ${keysVariable} with one or more keys, separated by spaces.`
        : "The file of --key-file has no key; expected one key on each line.",
    );
  if (keys.length > maxKeys) throw new ValidationError(`calibrate takes at most ${maxKeys} keys, not ${keys.length}.`);
  const invalidIndex = keys.findIndex((key) => !/^[!-~]+$/.test(key));
  if (invalidIndex >= 0) throw new ValidationError(`Key ${invalidIndex + 1} has characters that no header can carry.`);
  return keys;
}

/** Returns the text of a file of keys without its comments. Errors do not name the file, whose name could be a key. */
async function readKeyFile(file: string): Promise<string> {
  const text = await readTextFile(file).catch((error: unknown) => {
    const reason = error instanceof FileReadError ? / cannot be read(: .*)$/s.exec(error.message)?.[1] : undefined;
    throw new ValidationError(`The file of --key-file cannot be read${reason ?? ": it is not UTF-8."}`);
  });
  return text.replace(/(^|\s)#.*$/gm, "");
}

/** Returns the keys between spaces, commas and line ends. A `Bearer` before a key is not part of it. */
function keysIn(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/))].filter((word) => word !== "" && !/^bearer$/i.test(word));
}

async function promptKeys(): Promise<string[]> {
  const keys: string[] = [];
  printError(
    "Type keys of one offering, preferably a Partner and a Marketing key. They are not shown. End with an empty line.",
  );
  while (keys.length < maxKeys) {
    const [key] = keysIn(await promptLine(`key ${keys.length + 1}: `, false));
    if (key === undefined) break;
    keys.push(key);
  }
  return keys;
}

/** Prompts for a line on the terminal and echoes it if `isShown`. Returns an empty line at the end of input. */
export async function promptLine(question: string, isShown: boolean): Promise<string> {
  const { stdin, stderr } = process;
  let isMuted = false;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isMuted) stderr.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input: stdin, output, terminal: true });
  const closed = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
  reader.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const line = reader.question(question);
    isMuted = !isShown;
    return await Promise.race([line, closed]);
  } finally {
    reader.close();
    if (isMuted) stderr.write("\n");
  }
}
