import { isName } from "../settings/is-name.ts";

/** What a name or a file means to a running sandbox: the name, or what the file says. Throws FileMistakes, UnreadableFile. */
export async function scenarioToPlay(nameOrFile: string): Promise<string | object> {
  if (isName(nameOrFile)) return nameOrFile;
  const [{ readTextFile }, { parseScenario }, { ScenarioText }] = await Promise.all([
    import("../../fixture/read-text-file.ts"),
    import("../../scenario/parse-scenario.ts"),
    import("../../scenario/scenario-text.ts"),
  ]);
  const text = await readTextFile(nameOrFile);
  parseScenario(text, nameOrFile);
  return new ScenarioText(text, nameOrFile).content as object;
}
