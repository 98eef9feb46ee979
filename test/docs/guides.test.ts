import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pack } from "../support/packed.ts";
import { kinds } from "./blocks/kinds.ts";
import { Project } from "./blocks/project.ts";
import { runPage } from "./blocks/run-page.ts";
import { pages } from "./pages.ts";

let folder = "";
let tarball = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "offering-sandbox-pages-"));
  tarball = await pack(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.concurrent("every block of a page works as it says", () => {
  test.for(pages.filter(([, text]) => text.includes("```")))("%s", async ([page, text], { onTestFinished }) => {
    const project = await Project.create(tarball);
    onTestFinished(() => project.close());
    await runPage(page, text, project, kinds[page]);
  });
});

test("the diffs of all pages of docs/adding, one after another, leave every fast test green", async (context) => {
  const project = await Project.create(tarball);
  context.onTestFinished(() => project.close());
  const diffs = pages
    .filter(([page]) => page.startsWith("docs/adding/"))
    .flatMap(([, text]) => text.match(/^```diff\n[^]*?^```$/gm) ?? []);
  // Neither the variables of a sandbox nor the number of cases of slow tests are for it.
  const checks = [
    "```sh",
    "npm run generate",
    'unset CASE_FACTOR "${!OFFERING_SANDBOX_@}"',
    // As the pages say.
    "npx vitest run --project fast test/cli/sessions.test.ts --update",
    "npx vitest run --project fast",
    "```",
  ].join("\n");
  const markdown = [...diffs, checks].join("\n\n");
  await runPage("docs/adding", markdown, project, { "npm run generate": "sh changed" });
  // All fast tests run in it, on a busy machine too.
}, 1_800_000);

/** Wrong blocks, each with the expected message and its kind, where that is not its language. */
const wrongBlocks: readonly (readonly [block: string, said: RegExp, kind?: string])[] = [
  ["```cobol\n1\n```", /page\.md:1: "cobol" is not one of the kinds/],
  ["\n```\n1\n```", /page\.md:2: expected one language, not ""/],
  ["```ts\nsleep 1\n```", /page\.md:1: "sh server" is of another block/, "sh server"],
  ["```sh\n:\n```", /"sh" takes no "fiel"/, "sh fiel=x"],
  ["```text\n1\n```", /takes no "unrun"/, 'text unrun="why not"'],
  ["```sh\n:\n", /line 1 is not closed/],
  ["```sh\nfalse\n:\n```", /page\.md:1: It ended with 1 instead of 0/],
  ["```sh\n:\n```", /It ended with 0 instead of 2/, "sh exit=2"],
  ["```sh\nnpm install --save-dev left-pad\n```", /lacks left-pad/],
  ["```sh\necho no\n```", /ended before it was ready:\nno/, "sh server"],
  ["```sh\nif\n```", /syntax error/, 'sh unrun="it hurts"'],
  ["```ts\nconst a: number = '';\n```", /TS2322/, 'ts unrun="it hurts"'],
  ["```ts\nthrow new Error('no');\n```", /It ended with 1[^]*Error: no/],
  ['```json\n{ "offerings": [{ "status": "PAUSED" }] }\n```', /warning .* "PAUSED"/, "json fixture"],
  ["```yaml\nsteps: [{ evnt: A B }]\n```", /evnt/, "yaml scenario"],
  ["```yaml\nspede: 0\n```", /spede/, "yaml config"],
  ["```sh\necho one two; echo three\n```\n```text\none  …\nfour\n```", /page\.md:4: .*another/],
  ["```sh\nprintf '1\\n2\\n3\\n'\n```\n```text\n1\n3\n```", /another/],
];

describe("a wrong block fails", () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create(tarball);
  });
  afterAll(() => project.close());

  test.for(wrongBlocks)("%j", async ([block, message, kind]) => {
    await expect(runPage("page.md", block, project, kind === undefined ? {} : { "": kind })).rejects.toThrow(message);
  });

  test("an entry of kinds.ts fails without its block", async () => {
    await expect(runPage("page.md", "```sh\n:\n```", project, { "npm start": "sh server" })).rejects.toThrow(
      "page.md: no block has a line that begins with npm start",
    );
  });
});
