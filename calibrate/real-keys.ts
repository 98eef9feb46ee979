import { Mistake, UnreadableFile } from "../src/model/mistakes.ts";
import type { Terminal } from "./terminal.ts";

const maxKeys = 4;

export interface KeyOptions {
  /** Those of `--key`. */
  readonly key: readonly string[] | undefined;
  readonly keyFile: string | undefined;
  /** The environment variable with keys. */
  readonly keysVariable: string;
}

/**
 * The keys of the real service: from flags, a file, the variable, or typed without echo. Throws a Mistake, without the text of
 * any, if there is none, or one that can be none.
 */
export async function realKeys(options: KeyOptions, terminal: Terminal): Promise<readonly string[]> {
  const keys = await keysFrom(options, terminal);
  if (keys.length > maxKeys) throw new Mistake(`calibrate takes at most ${maxKeys} keys, not ${keys.length}.`);
  const wrong = keys.findIndex((key) => !/^[!-~]+$/.test(key));
  if (wrong >= 0) throw new Mistake(`Key ${wrong + 1} has characters that no header can carry.`);
  return keys;
}

async function keysFrom({ key, keyFile, keysVariable }: KeyOptions, terminal: Terminal): Promise<readonly string[]> {
  if (key)
    terminal.printError(`note: lists of processes show --key; --key-file or ${keysVariable} keep it to yourself`);
  const file = keyFile === undefined ? "" : await keysInFile(keyFile, terminal);
  const keys = keysIn([...(key ?? []), file].join("\n"));
  if (keys.length > 0) return keys;
  if (keyFile !== undefined) throw new Mistake("The file of --key-file holds no key; expected one on each line.");
  const inVariable = keysIn(process.env[keysVariable] ?? "");
  if (inVariable.length > 0) return inVariable;
  if (process.stdin.isTTY && process.stderr.isTTY) return typedKeys(terminal);
  throw new Mistake(`calibrate needs a key: --key-file, or ${keysVariable} with one or more, separated by spaces.`);
}

/** The text of a file of keys without its comments. The name of the file could be a key itself. */
async function keysInFile(file: string, { readTextFile }: Terminal): Promise<string> {
  const text = await readTextFile(file).catch((error: unknown) => {
    const reason = error instanceof UnreadableFile ? / cannot be read(: .*)$/s.exec(error.message)?.[1] : undefined;
    throw new Mistake(`The file of --key-file cannot be read${reason ?? ": it is not UTF-8."}`);
  });
  const lines = text.split(/\r?\n/).map((line) => line.replace(/(^|\s)#.*$/, ""));
  // Keys are no words of a language.
  const wrong = lines.findIndex((line) =>
    keysIn(line).some((key) => key.length < 6 || /^\W*[a-z]{0,15}\W*$/i.test(key)),
  );
  if (wrong < 0) return lines.join("\n");
  throw new Mistake(
    `Line ${wrong + 1} of the file of --key-file has a word that cannot be a key; expected keys, and comments after #.`,
  );
}

/** Keys between spaces, commas and lines; `Bearer` before one is not part of it. */
function keysIn(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/))].filter((word) => word !== "" && !/^bearer$/i.test(word));
}

async function typedKeys({ answerTo, printError }: Terminal): Promise<string[]> {
  const keys: string[] = [];
  printError("Keys of one offering, best a Partner and a Marketing key. They are not shown. End with an empty line.");
  while (keys.length < maxKeys) {
    const [key] = keysIn(await answerTo(`key ${keys.length + 1}: `, false));
    if (key === undefined) break;
    keys.push(key);
  }
  if (keys.length === 0) throw new Mistake("calibrate needs a key.");
  return keys;
}
