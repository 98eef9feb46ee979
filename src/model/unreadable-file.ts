/** A file that could not be read at all: missing, a folder, forbidden, too large. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}
