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
 * The keys of the real service: from a file, the variable, or typed without echo. Throws a ValidationError, which never
 * quotes a key, if there is none, or if one cannot be a key.
 */
export async function realKeys({ keyFile, keysVariable }: KeyOptions): Promise<readonly string[]> {
  const isTyped = process.stdin.isTTY && process.stderr.isTTY;
  const written = keyFile === undefined ? (process.env[keysVariable] ?? "") : await textOf(keyFile);
  const keys = keyFile === undefined && written.trim() === "" && isTyped ? await typedKeys() : keysIn(written);
  if (keys.length === 0)
    throw new ValidationError(
      keyFile === undefined
        ? `calibrate needs a key: --key-file, or ${keysVariable} with one or more, separated by spaces.`
        : "The file of --key-file holds no key; expected one on each line.",
    );
  if (keys.length > maxKeys) throw new ValidationError(`calibrate takes at most ${maxKeys} keys, not ${keys.length}.`);
  const wrong = keys.findIndex((key) => !/^[!-~]+$/.test(key));
  if (wrong >= 0) throw new ValidationError(`Key ${wrong + 1} has characters that no header can carry.`);
  return keys;
}

/** The text of a file of keys without its comments. The name of the file could be a key itself. */
async function textOf(file: string): Promise<string> {
  const text = await readTextFile(file).catch((error: unknown) => {
    const reason = error instanceof FileReadError ? / cannot be read(: .*)$/s.exec(error.message)?.[1] : undefined;
    throw new ValidationError(`The file of --key-file cannot be read${reason ?? ": it is not UTF-8."}`);
  });
  return text.replace(/(^|\s)#.*$/gm, "");
}

/** Keys between spaces, commas and lines; `Bearer` before one is not part of it. */
function keysIn(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/))].filter((word) => word !== "" && !/^bearer$/i.test(word));
}

async function typedKeys(): Promise<string[]> {
  const keys: string[] = [];
  printError("Keys of one offering, best a Partner and a Marketing key. They are not shown. End with an empty line.");
  while (keys.length < maxKeys) {
    const [key] = keysIn(await responseTo(`key ${keys.length + 1}: `, false));
    if (key === undefined) break;
    keys.push(key);
  }
  return keys;
}

/** Asks for a line on the terminal, which shows what is typed if `isShown`. At the end of input, the line is empty. */
export async function responseTo(question: string, isShown: boolean): Promise<string> {
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
    const response = reader.question(question);
    isMuted = !isShown;
    return await Promise.race([response, closed]);
  } finally {
    reader.close();
    if (isMuted) stderr.write("\n");
  }
}
