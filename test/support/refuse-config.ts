import { presentConfig } from "../../src/sandbox/config-file.ts";

/** Refuses to run with a config file, because the tests' sandboxes would start with its settings. */
export default function refuseConfig(): void {
  const file = presentConfig();
  if (file !== undefined) throw new Error(`The tests expect that there is no ${file}. Move it away.`);
}
