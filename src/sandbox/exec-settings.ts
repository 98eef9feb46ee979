import { resolve } from "node:path";
import { isMembers } from "../model/members.ts";
import { Mistake } from "../model/mistakes.ts";
import { isName } from "../model/text.ts";
import type { TextValue } from "../settings/values.ts";

/** The variable in which `exec` hands on settings of the service to the sandboxes that its command starts. */
export const execVariable = "OFFERING_SANDBOX_EXEC";

/** The settings that decide which answers a client gets. */
const handedOn: ReadonlySet<string> = new Set(["profile", "assumptions", "cors", "fixture", "seed", "rateLimit"]);

/** The content of the variable. */
interface ExecSettings {
  readonly given: readonly TextValue[];
  /** The file for the assumptions on which answers rest; left out without `--vary`. */
  readonly usesFile?: string | undefined;
}

/** The text of the variable for settings; undefined without any. `usesFile` is by default that of an outer `exec`. */
export function execVariableText(
  all: readonly TextValue[],
  usesFile: string | undefined = readExecVariable().usesFile,
): string | undefined {
  const given = all.filter(({ setting }) => handedOn.has(setting)).map(withWholePath);
  const isEmpty = given.length === 0 && usesFile === undefined;
  return isEmpty ? undefined : JSON.stringify({ given, usesFile } satisfies ExecSettings);
}

/** The command may run in another folder. */
function withWholePath(one: TextValue): TextValue {
  return one.setting === "fixture" && !isName(one.text) ? { ...one, text: resolve(one.text) } : one;
}

/** The settings of the `exec` that started this process or a parent. Throws Mistake for a text of another origin. */
export function readExecVariable(text = process.env[execVariable] ?? ""): ExecSettings {
  if (text === "") return { given: [] };
  try {
    const content: unknown = JSON.parse(text);
    if (isMembers(content) && Array.isArray(content["given"])) return content as unknown as ExecSettings;
  } catch {
    // The text is not JSON.
  }
  throw new Mistake(`${execVariable} is only for offering-sandbox exec to set; unset it.`);
}
