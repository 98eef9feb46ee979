/** A file that could not be written. */
export class UnwritableFile extends Error {
  override readonly name = "UnwritableFile";

  constructor(file: string, cause: unknown) {
    super(`${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
}
