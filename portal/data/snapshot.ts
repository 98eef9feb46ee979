import { download, fileName } from "../base/download.ts";
import { snapshotOf } from "./api.ts";
import { realTime } from "./state.ts";

/**
 * Saves an environment, with the time of saving, in `snapshot-default.json`, or in `snapshot-default-17.json` for its
 * request 17.
 */
export async function saveSnapshot(environment: string, request = ""): Promise<void> {
  const snapshot = await snapshotOf(environment);
  // The snapshot is not parsed, which would block the page: the member is added in front of the first one.
  const saved = `{"saved_at":"${new Date(realTime.peek()).toISOString()}",`;
  download(fileName(["snapshot", environment, request], "json"), new Blob([saved, snapshot.slice(1)]));
}
