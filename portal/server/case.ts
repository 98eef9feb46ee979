import { download, fileName } from "../download.ts";
import { snapshotOf } from "./api.ts";

/** Saves an environment as a case: `case-default.json`, or `case-default-17.json` for its request 17. */
export async function saveCase(environment: string, request = ""): Promise<void> {
  download(fileName(["case", environment, request], "json"), await snapshotOf(environment));
}
