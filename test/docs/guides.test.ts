import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pack } from "../support/packed.ts";
import { readBlocks } from "./blocks/block.ts";
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
  test.for(pages.filter(([, text]) => readBlocks(text).length > 0))("%s", async ([page, text], { onTestFinished }) => {
    const project = await Project.create(tarball);
    onTestFinished(() => project.close());
    await runPage(page, text, project);
  });
});

/** Wrong blocks, each with the expected message. */
const wrong: Readonly<Record<string, readonly [block: string, said: RegExp]>> = {
  "a language that nobody knows": ["```cobol\n1\n```", /page\.md:1: "cobol" is none of the kinds/],
  "no language": ["\n```\n1\n```", /page\.md:2: "" is none of the kinds/],
  "a word that nobody knows": ["```sh servre\nsleep 1\n```", /"sh servre" is none of the kinds/],
  "a setting that nobody knows": ["```sh fiel=x\n:\n```", /"sh" takes no "fiel"/],
  "a kind that has to be run": ['```text printed unrun="why not"\n1\n```', /takes no "unrun"/],
  "a block without an end": ["```sh\n:\n", /line 1 is not closed/],
  "a command that fails": ["```sh\nfalse\n:\n```", /page\.md:1: It ended with 1 instead of 0/],
  "a command that does not fail": ["```sh exit=2\n:\n```", /It ended with 0 instead of 2/],
  "a package that is not there": ["```sh\nnpm install --save-dev left-pad\n```", /lacks left-pad/],
  "a server that ends": ["```sh server\necho no\n```", /ended before it was ready:\nno/],
  "a shell that cannot be read": ['```sh unrun="it hurts"\nif\n```', /syntax error/],
  "a type that does not fit": ["```ts\nconst a: number = '';\n```", /TS2322/],
  "a type that does not fit, unrun": ['```ts unrun="it hurts"\nconst a: number = "";\n```', /TS2322/],
  "a program that throws": ["```ts\nthrow new Error('no');\n```", /It ended with 1[^]*Error: no/],
  "a fixture with a mistake": ['```json fixture\n{ "offerigns": [] }\n```', /offerigns/],
  "a fixture with a warning": [
    '```json fixture\n{ "offerings": [{ "investments": [{ "status": "CLOSED", "payments": [] }] }] }\n```',
    /warning .* money outstanding/,
  ],
  "a scenario with a mistake": ["```yaml scenario\nsteps: [{ evnt: A B }]\n```", /evnt/],
  "a setting with a mistake": ["```yaml config\nspede: 0\n```", /spede/],
  "another output": [
    "```sh\necho one two; echo three\n```\n```text printed\none  …\nfour\n```",
    /page\.md:4: .*another/,
  ],
  "lines left out": ["```sh\nprintf '1\\n2\\n3\\n'\n```\n```text printed\n1\n3\n```", /another/],
  "a step that fails": ["```yaml github file=a.yml\njobs: { a: { steps: [{ run: exit 3 }] } }\n```", /ended with 3/],
  "a step that has a condition": [
    '```yaml github file=a.yml\njobs: { a: { steps: [{ if: "false", run: ":" }] } }\n```',
    /if cannot be tried/,
  ],
  "a script that fails": ["```yaml gitlab file=a.yml\na: { script: [exit 3] }\n```", /ended with 3/],
  "a line of Docker that nobody can try": ["```sh docker\ndocker push image\n```", /cannot be tried/],
};

describe("a wrong block fails", () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create(tarball);
  });
  afterAll(() => project.close());

  test.for(Object.entries(wrong))("%s", async ([, [block, message]]) => {
    await expect(runPage("page.md", block, project)).rejects.toThrow(message);
  });
});
