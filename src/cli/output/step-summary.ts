import { appendFile } from "node:fs/promises";
import { UnwritableFile } from "../../mistakes/mistakes.ts";

/** Appends the lines of a report to the summary of a GitHub job, if this runs in one. Throws UnwritableFile. */
export async function appendStepSummary(lines: readonly string[]): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file = "" } = process.env;
  if (file === "") return;
  try {
    await appendFile(file, ["```text", ...lines, "```", ""].join("\n"));
  } catch (error) {
    throw new UnwritableFile(file, error);
  }
}
