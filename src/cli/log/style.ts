import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

const { stdout, env } = process;
const coloured = stdout.isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";

/** The text in a colour or weight, on a terminal that has them and without NO_COLOR. */
export function style(format: Format, text: string): string {
  return coloured ? styleText(format, text) : text;
}
