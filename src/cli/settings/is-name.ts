/** Whether a text is the name of something that ships; a file is written with its ending or its folder. */
export function isName(nameOrFile: string): boolean {
  return /^[\w-]+$/.test(nameOrFile);
}
