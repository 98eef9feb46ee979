import { environmentPath } from "../src/control/operation.ts";
import { adminOperations } from "../src/control/operations.ts";

/** The text of `portal/data/paths.ts`: the calls of the table for the page, without their schemas. */
export function portalPaths(): string {
  const rows = Object.entries(adminOperations).map(
    ([id, { method, path }]) => `  ${id}: "${method} ${path.replace(environmentPath, "~")}",`,
  );
  return `import type { AdminOperationId } from "../../src/control/operations.ts";

/**
 * Method and path of each operation of the admin API; \`~\` is the environment on screen. \`npm run generate\` writes
 * them.
 */
export const paths = {
${rows.join("\n")}
} as const satisfies Record<AdminOperationId, string>;
`;
}
