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

/** Wrong blocks, each with the expected message and its kind, where that is not its language. */
const wrong: Readonly<Record<string, readonly [block: string, said: RegExp, kind?: string]>> = {
  "a language that nobody knows": ["```cobol\n1\n```", /page\.md:1: "cobol" is none of the kinds/],
  "no language": ["\n```\n1\n```", /page\.md:2: expected one language, not ""/],
  "more than a language": ["```sh server\nsleep 1\n```", /page\.md:1: expected one language, not "sh server"/],
  "a kind that nobody knows": ["```sh\nsleep 1\n```", /"sh servre" is none of the kinds/, "sh servre"],
  "a kind of another language": ["```ts\nsleep 1\n```", /page\.md:1: "sh server" is of another block/, "sh server"],
  "a setting that nobody knows": ["```sh\n:\n```", /"sh" takes no "fiel"/, "sh fiel=x"],
  "a kind that has to be run": ["```text\n1\n```", /takes no "unrun"/, 'text unrun="why not"'],
  "a block without an end": ["```sh\n:\n", /line 1 is not closed/],
  "a command that fails": ["```sh\nfalse\n:\n```", /page\.md:1: It ended with 1 instead of 0/],
  "a command that does not fail": ["```sh\n:\n```", /It ended with 0 instead of 2/, "sh exit=2"],
  "a package that is not there": ["```sh\nnpm install --save-dev left-pad\n```", /lacks left-pad/],
  "a server that ends": ["```sh\necho no\n```", /ended before it was ready:\nno/, "sh server"],
  "a shell that cannot be read": ["```sh\nif\n```", /syntax error/, 'sh unrun="it hurts"'],
  "a type that does not fit": ["```ts\nconst a: number = '';\n```", /TS2322/],
  "a type that does not fit, unrun": ["```ts\nconst a: number = '';\n```", /TS2322/, 'ts unrun="it hurts"'],
  "a program that throws": ["```ts\nthrow new Error('no');\n```", /It ended with 1[^]*Error: no/],
  "a fixture with a mistake": ['```json\n{ "offerigns": [] }\n```', /offerigns/, "json fixture"],
  "a fixture with a warning": [
    '```json\n{ "offerings": [{ "investments": [{ "status": "CLOSED", "payments": [] }] }] }\n```',
    /warning .* money outstanding/,
    "json fixture",
  ],
  "a scenario with a mistake": ["```yaml\nsteps: [{ evnt: A B }]\n```", /evnt/, "yaml scenario"],
  "a setting with a mistake": ["```yaml\nspede: 0\n```", /spede/, "yaml config"],
  "another output": ["```sh\necho one two; echo three\n```\n```text\none  …\nfour\n```", /page\.md:4: .*another/],
  "lines left out": ["```sh\nprintf '1\\n2\\n3\\n'\n```\n```text\n1\n3\n```", /another/],
};

describe("a wrong block fails", () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create(tarball);
  });
  afterAll(() => project.close());

  test.for(Object.entries(wrong))("%s", async ([, [block, message, kind]]) => {
    await expect(runPage("page.md", block, project, kind === undefined ? {} : { "": kind })).rejects.toThrow(message);
  });

  test("an entry without its block", async () => {
    await expect(runPage("page.md", "```sh\n:\n```", project, { "npm start": "sh server" })).rejects.toThrow(
      "page.md: no block has a line that begins with npm start",
    );
  });
});
