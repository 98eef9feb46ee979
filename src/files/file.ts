import { isUtf8 } from "node:buffer";
import { mkdir, mkdtemp, readFile, rmdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { inputLimits, megabyte } from "../bounds/bounds.ts";
import { codeOf, FileValidationError, FileReadError, FileWriteError } from "../validation/errors.ts";
import { escaped, isName, quoted } from "../text/text.ts";

/*
 * Reads every file that a person names, and creates folders. A read of a device or a pipe might never end, and a large
 * file would fill the memory before a parser could refuse it.
 */

/** The mode of a written file that has keys: no other user of the machine reads or writes it. */
export const ownerOnly = 0o600;

/** Reads a regular file up to a number of megabytes. Throws FileReadError. */
export async function readBytes(path: string, maxBytes: number): Promise<Buffer> {
  try {
    const found = await stat(path);
    if (found.isFIFO())
      throw new UnsuitableFileError("it is a pipe; expected a file, so write its content to one first");
    if (!found.isFile() && !found.isDirectory()) throw new UnsuitableFileError("it is not a regular file");
    if (found.size > maxBytes * megabyte)
      throw new UnsuitableFileError(`it has ${formatSize(found.size)}; expected at most ${maxBytes} MB`);
    return await readFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Reads a file in UTF-8, without its byte order mark. Throws FileReadError, or FileValidationError for other bytes. */
export async function readTextFile(path: string, maxBytes: number = inputLimits.file): Promise<string> {
  return textOf(path, await readBytes(path, maxBytes));
}

/** Decodes the bytes of a file. Throws like `readTextFile`. */
export function textOf(path: string, bytes: Buffer): string {
  try {
    const text = bytes.toString("utf8");
    // Latin letters in UTF-16 are valid UTF-8, with a zero byte next to each.
    if (!isUtf8(bytes) || text.includes("\0")) throw notUtf8(path, text);
    return text.startsWith("\uFEFF") ? text.slice(1) : text;
  } catch (error) {
    throw error instanceof FileValidationError ? error : unreadable(path, error);
  }
}

function notUtf8(file: string, text: string): FileValidationError {
  const lines = text.slice(0, text.search(/[\0\uFFFD]/)).split("\n");
  const position = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  const message = "From here on this is not UTF-8; expected a file in UTF-8.";
  return new FileValidationError([{ file, ...position, message }]);
}

/** The reason not to read an existing file. */
class UnsuitableFileError extends Error {}

/** Formats a size, rounded up, so that a file above its limit does not seem to equal the limit. */
function formatSize(bytes: number): string {
  return `${(Math.ceil((bytes / megabyte) * 10) / 10).toLocaleString("en")} MB`;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  ENAMETOOLONG: "its name is too long",
  ERR_STRING_TOO_LONG: "it is larger than 512 MB",
};

export function unreadable(path: string, error: unknown): FileReadError {
  const code = codeOf(error) ?? (error instanceof UnsuitableFileError ? error.message : String(error));
  return new FileReadError(
    `${isName(path) ? quoted(path) : shownPath(path)} cannot be read: ${reasons[code] ?? code}.`,
    { cause: error },
  );
}

/** Adds the full path and a hint to the error of a missing file; returns any other error unchanged. */
export async function withFullPath(error: unknown, path: string, hint = async () => ""): Promise<unknown> {
  if (!(error instanceof FileReadError) || codeOf(error.cause) !== "ENOENT") return error;
  const url = path.startsWith("file:") ? " The URL of a file is not a path; code may give a URL object." : "";
  const message = `${error.message} Looked for ${shownPath(resolve(path))}.${await hint()}${url}`;
  return new FileReadError(message, { cause: error.cause });
}

/** Shortens a path for a message: a very long one is usually not a path. */
function shownPath(path: string): string {
  return escaped(path.length > inputLimits.path ? `${path.slice(0, inputLimits.path)}…` : path);
}

/** Creates a folder and its parents. Node's `recursive` never ends on a system that refuses a folder with ENOENT. */
export async function makeFolder(folder: string): Promise<void> {
  const make = async (): Promise<string | undefined> => mkdir(folder).then(() => undefined, codeOf);
  if ((await make()) !== "ENOENT" || dirname(folder) === folder) return;
  await makeFolder(dirname(folder));
  await make();
}

/** Creates a folder for files that are written later. Throws FileWriteError if no file can be written there. */
export async function makeWritableFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  try {
    // Only an attempt shows whether files can be written: permissions say nothing about a read-only volume.
    await rmdir(await mkdtemp(join(folder, ".writable-")));
  } catch (error) {
    throw new FileWriteError(folder, error);
  }
}
