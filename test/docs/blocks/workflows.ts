import { parse } from "yaml";
import type { Block } from "./block.ts";
import { startImage } from "./docker.ts";
import type { Project } from "./project.ts";

type Variables = Readonly<Record<string, string | number>>;

interface Workflow {
  readonly jobs: Readonly<Record<string, GitHubJob>>;
}

interface GitHubJob {
  readonly env?: Variables;
  readonly services?: Readonly<Record<string, { readonly image: string; readonly env?: Variables }>>;
  readonly steps: readonly Step[];
}

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly with?: unknown;
  readonly run?: string;
  readonly env?: Variables;
}

/** Runs the jobs of a GitHub workflow: each step in its own shell, beside the image that the page has built. */
export async function runGitHubWorkflow({ text, settings }: Block, project: Project): Promise<void> {
  await project.write(settings["file"] ?? "", text);
  const { jobs } = parse(text) as Workflow;
  for (const { env = {}, services = {}, steps } of Object.values(jobs)) {
    for (const service of Object.values(services)) await startService(service.image, service.env, [], project);
    const scripts = steps.flatMap((step) => {
      expectMembers(step, ["name", "uses", "with", "run", "env"]);
      return step.run === undefined ? [] : [inShell(step.run, { ...env, ...step.env })];
    });
    await runJob(scripts.join("\n"), project);
  }
}

interface GitLabJob {
  readonly image?: string;
  readonly services?: readonly GitLabService[];
  readonly before_script?: readonly string[];
  readonly variables?: Variables;
  readonly script: readonly string[];
}

interface GitLabService {
  readonly name: string;
  readonly alias: string;
  readonly command?: readonly string[];
  readonly variables?: Variables;
}

/** Runs the jobs of a GitLab pipeline: all lines of a job in one shell, beside the image that the page has built. */
export async function runGitLabPipeline({ text, settings }: Block, project: Project): Promise<void> {
  await project.write(settings["file"] ?? "", text);
  for (const job of Object.values(parse(text) as Readonly<Record<string, GitLabJob>>)) {
    expectMembers(job, ["image", "services", "before_script", "variables", "script"]);
    let script = [...(job.before_script ?? []), ...job.script].join("\n");
    for (const { name, alias, command, variables } of job.services ?? []) {
      await startService(name, variables, command, project);
      // Its host's name leads here.
      script = script.replaceAll("curl ", `curl --resolve "*:\${OFFERING_SANDBOX_PORT}:127.0.0.1" `);
      if (!script.includes(`//${alias}:`)) throw new Error(`Nothing requests ${alias}.`);
    }
    await runJob(inShell(script, job.variables ?? {}), project);
  }
}

async function startService(
  image: string,
  variables: Variables = {},
  command: readonly string[] = [],
  project: Project,
): Promise<void> {
  if (!/(^|\/)offering-sandbox:\d+$/.test(image)) throw new Error(`This image cannot be tried: ${image}`);
  await startImage(Object.entries(variables), command, project);
}

async function runJob(script: string, project: Project): Promise<void> {
  if (script === "") throw new Error("A job runs nothing.");
  await project.expect(script, { env: { CI: "true" } });
}

function inShell(script: string, variables: Variables): string {
  if (script.includes("${{")) throw new Error("Expressions cannot be tried.");
  const set = Object.entries(variables).map(([name, value]) => `${name}=${quoted(String(value))}`);
  return `env ${set.join(" ")} bash -eo pipefail -c ${quoted(script)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Unknown keys may decide on lines to run, so they are refused. */
function expectMembers(value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`${unknown.join(", ")} cannot be tried.`);
}
