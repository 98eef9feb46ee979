import { isMembers } from "../model/members.ts";

/** Marks the options of a caller over HTTP, for whom a sandbox reads no files. JSON cannot hold it. */
const ofRemote = Symbol("of a remote caller");

/** The options as those of a caller over HTTP. */
export function asRemote<Options extends object>(options: Options): Options {
  return isMembers(options) ? { ...options, [ofRemote]: true } : options;
}

export function isRemote(options: object): boolean {
  return ofRemote in options;
}

/** The refusal of a path. */
export const noFiles = "The admin API reads no files: send the content of one in place of its path.";
