import { Mistake, UnreadableFile } from "../src/model/mistakes.ts";
import type { Terminal } from "./terminal.ts";

const mostKeys = 4;

interface GivenKeys {
  /** Those of `--key`. */
  readonly key: readonly string[] | undefined;
  readonly keyFile: string | undefined;
  /** The environment variable that holds keys. */
  readonly keysVariable: string;
}

/**
 * The keys of the real service: from flags, a file, the variable, or typed without echo. Throws a Mistake, without the text of
 * any, if there is none, or one that can be none.
 */
export async function realKeys(
  { key, keyFile, keysVariable: variable }: GivenKeys,
  terminal: Terminal,
): Promise<readonly string[]> {
  if (key) terminal.printError(`note: lists of processes show --key; --key-file or ${variable} keep it to yourself`);
  const written = [...(key ?? []), keyFile === undefined ? "" : await keysIn(keyFile, terminal)].join("\n");
  const given = wordsIn(written);
  if (given.length > 0) return checked(given);
  if (keyFile !== undefined) throw new Mistake("The file of --key-file holds no key; expected one on each line.");
  const inVariable = wordsIn(process.env[variable] ?? "");
  if (inVariable.length > 0) return checked(inVariable);
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Mistake(`calibrate needs a key: --key-file, or ${variable} with one or more, separated by spaces.`);
  return checked(await typedKeys(terminal));
}

/** The text of a file of keys without its comments. The name of the file could be a key itself. */
async function keysIn(file: string, { readTextFile }: Terminal): Promise<string> {
  const text = await readTextFile(file).catch((error: unknown) => {
    const reason = error instanceof UnreadableFile ? / cannot be read(: .*)$/s.exec(error.message)?.[1] : undefined;
    throw new Mistake(`The file of --key-file cannot be read${reason ?? ": it is not UTF-8."}`);
  });
  const lines = text.split(/\r?\n/).map((line) => line.replace(/(^|\s)#.*$/, ""));
  // Keys are no words of a language.
  const wrong = lines.findIndex((line) =>
    wordsIn(line).some((word) => word.length < 6 || /^\W*[a-z]{0,15}\W*$/i.test(word)),
  );
  if (wrong >= 0)
    throw new Mistake(
      `Line ${wrong + 1} of the file of --key-file has a word that cannot be a key; expected keys, and comments after #.`,
    );
  return lines.join("\n");
}

/** Keys between spaces, commas and lines; `Bearer` before one is not part of it. */
function wordsIn(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/))].filter((word) => word !== "" && !/^bearer$/i.test(word));
}

function checked(keys: readonly string[]): readonly string[] {
  if (keys.length > mostKeys) throw new Mistake(`calibrate takes at most ${mostKeys} keys, not ${keys.length}.`);
  const wrong = keys.findIndex((key) => !/^[!-~]+$/.test(key));
  if (wrong >= 0) throw new Mistake(`Key ${wrong + 1} has characters that no header can carry.`);
  return keys;
}

async function typedKeys({ answerTo, printError }: Terminal): Promise<string[]> {
  const found: string[] = [];
  printError("Keys of one offering, best a Partner and a Marketing key. They are not shown. End with an empty line.");
  for (;;) {
    const [word] = wordsIn(await answerTo(`key ${found.length + 1}: `, false));
    if (word === undefined || found.length === mostKeys) break;
    found.push(word);
  }
  if (found.length === 0) throw new Mistake("calibrate needs a key.");
  return found;
}
