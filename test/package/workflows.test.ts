import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../support/packed.ts";

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<string, { readonly permissions: object; readonly steps?: readonly { uses?: string }[] }>
  >;
}

const folder = join(root, ".github/workflows");

test.for(readdirSync(folder))(
  "%s: a workflow has no rights, each job names its own, and actions are named by their commit",
  (file) => {
    const { permissions, jobs } = parse(readFileSync(join(folder, file), "utf8")) as Workflow;
    expect(permissions).toEqual({});
    for (const { permissions: rights, steps = [] } of Object.values(jobs)) {
      expect(Object.keys(rights)).not.toEqual([]);
      for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w/-]+@[\da-f]{40}$/);
    }
  },
);
