/** Functions of the command line: `calibrate/` imports none of it. */
export interface Terminal {
  readonly print: (lines: string) => void;
  readonly printError: (lines: string) => void;
  /** In a terminal the line replaces the one before, up to the last. */
  readonly printProgress: (line: string, isLast: boolean) => void;
  /** Asks for a line, typed in sight or not. */
  readonly answerTo: (question: string, isShown: boolean) => Promise<string>;
  readonly style: (format: "dim", text: string) => string;
  /** In columns. */
  readonly textWidth: number;
  readonly wrap: (text: string, width: number) => string[];
  /** `1 request`, `3 requests` */
  readonly count: (number: number, thing: string) => string;
  /** Throws UnreadableFile. */
  readonly readTextFile: (file: string) => Promise<string>;
  /** Writes a file whole or not at all. Throws UnwritableFile. */
  readonly replaceFile: (file: string, text: string) => Promise<void>;
}
