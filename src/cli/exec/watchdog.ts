/**
 * A process of its own that outlives `exec`: when that is gone without having ended what it ran, killed itself perhaps,
 * this ends it. It is told on its stdin which process that is, and reads the end of `exec` from the end of its stdin.
 */
import { text } from "node:stream/consumers";
import { endTree } from "./process-tree.ts";

async function guard(): Promise<void> {
  const [pid = 0, leadsGroup = 0] = (await text(process.stdin)).split(" ").map(Number);
  if (pid > 0) await endTree({ pid, leadsGroup: leadsGroup === 1 });
}

void guard();
