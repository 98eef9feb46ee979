import { appendFile } from "node:fs/promises";
import type { CoverageReport } from "../../control.ts";
import { checkRequirements, fallenBelow, missedIn } from "../../coverage/requirements.ts";
import { reportMarkdown, type Verdict } from "../../coverage/texts.ts";
import { UnwritableFile } from "../../model/mistakes.ts";
import type { Values } from "../../settings/settings.ts";
import type { verdictFlags } from "./flags.ts";
import { reportIn } from "./reports.ts";

export type VerdictFlags = Values<typeof verdictFlags>;

/** Judges reports. */
export interface Judge {
  judge(report: CoverageReport): Verdict;
  /** Adds a summary where one is asked for. Returns 0, or 3 if the verdict is bad or no request came. */
  close(verdict: Verdict): Promise<0 | 3>;
}

/** Checks the flags, and reads the earlier report: before anything runs. Throws Mistake, UnreadableFile and FileMistakes. */
export async function judgeOf({ require: required = [], summary, notBelow }: VerdictFlags): Promise<Judge> {
  checkRequirements(required);
  const earlier = notBelow === undefined ? undefined : await reportIn(notBelow);
  return {
    judge: (report) => ({
      report,
      missed: missedIn(report, required),
      fallen: earlier ? fallenBelow(report, earlier) : [],
    }),
    async close(verdict) {
      if (summary !== undefined) {
        await appendFile(summary, reportMarkdown(verdict)).catch((error: unknown) => {
          throw new UnwritableFile(summary, error);
        });
      }
      const isBad = verdict.missed.length > 0 || verdict.fallen.length > 0;
      return isBad || verdict.report.requests === 0 ? 3 : 0;
    },
  };
}
