import { cp, mkdir, readFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../support/packed.ts";
import type { Block } from "./block.ts";
import type { Project } from "./project.ts";

/**
 * Tries lines of Docker without an engine. `docker build` follows the Dockerfile's COPY and RUN lines in folders; `docker
 * run` starts the container's command in the folder of the last stage, and tries its health check.
 */
export async function runDocker({ text }: Block, project: Project): Promise<void> {
  for (const line of text.trim().replaceAll("\\\n", " ").split("\n")) {
    const [docker, command, ...words] = line.trim().split(/\s+/);
    if (docker !== "docker" || /["'$]/.test(line)) throw new Error(`Only plain lines of docker can be tried: ${line}`);
    if (command === "build" && words.at(-1) === ".") await build(project);
    else if (command === "run") await runImage(words, project);
    else throw new Error(`This line of docker cannot be tried: ${line}`);
  }
}

interface Stage {
  readonly name: string;
  readonly instructions: readonly { readonly name: string; readonly text: string }[];
}

async function build(project: Project): Promise<void> {
  for (const stage of await readStages(project)) {
    const folder = folderOf(stage.name, project);
    await mkdir(folder, { recursive: true });
    for (const { name, text } of stage.instructions) {
      if (name === "COPY") await copy(text, folder, project);
      if (name === "RUN") await project.expect(text, { cwd: folder });
    }
  }
}

async function copy(text: string, folder: string, project: Project): Promise<void> {
  const [, stage, list = ""] = /^(?:--from=(\S+) +)?(.*)$/.exec(text) ?? [];
  const paths = list.split(/ +/);
  const to = paths.pop() ?? "";
  for (const path of paths) {
    const from = stage === undefined ? resolve(root, path) : resolve(folderOf(stage, project), relative("/app", path));
    await cp(from, join(folder, to, to.endsWith("/") ? basename(path) : ""), { recursive: true });
  }
}

/** The supported flags of `docker run`. */
const flags = {
  rm: { type: "boolean" },
  publish: { type: "string", short: "p" },
  env: { type: "string", short: "e", multiple: true },
  volume: { type: "string", short: "v", multiple: true },
} as const;

async function runImage(words: readonly string[], project: Project): Promise<void> {
  const image = words.indexOf("offering-sandbox");
  const { env = [], volume: volumes = [] } = parseArgs({ args: words.slice(0, image), options: flags }).values;
  let args = words.slice(image + 1);
  for (const volume of volumes) {
    const [here = "", there = ""] = volume.split(":");
    args = args.map((arg) => arg.replaceAll(there, join(project.folder, here)));
  }
  await startImage(env.map(variable), args, project);
}

/** A name and its value, of `NAME=value`. */
function variable(text: string): [name: string, value: string] {
  const [, name = text, value = ""] = /^(.*?)=(.*)$/.exec(text) ?? [];
  return [name, value];
}

/** Starts the command of the image that the page has built, and tries its health check. */
export async function startImage(
  variables: readonly (readonly [name: string, value: string | number])[],
  args: readonly string[],
  project: Project,
): Promise<void> {
  const { instructions = [] } = (await readStages(project)).at(-1) ?? {};
  const last = (name: string): string => instructions.findLast((instruction) => instruction.name === name)?.text ?? "";
  const list = (json: string): string[] => JSON.parse(json || "[]") as string[];

  const line = [...list(last("ENTRYPOINT")), ...(args.length > 0 ? args : list(last("CMD")))].join(" ");
  const env = Object.fromEntries(
    [...last("ENV").split(/\s+/).map(variable), ...variables].map(([name, value]) => [name, String(value)]),
  );
  const where = { cwd: folderOf("", project), env };
  await project.serve("sandbox", `exec ${line}`, where);
  const check = list(/CMD (.*)/.exec(last("HEALTHCHECK"))?.[1] ?? "");
  await project.expect(check.map((word) => JSON.stringify(word)).join(" "), where);
  // Read from a file when it is asked for.
  await project.expect(`curl -sf "$OFFERING_SANDBOX_URL/__admin/openapi.json"`);
}

function folderOf(stage: string, project: Project): string {
  return join(project.folder, "image", stage || "last");
}

async function readStages(project: Project): Promise<Stage[]> {
  const file = project.withFreePorts(await readFile(join(root, "Dockerfile"), "utf8")).replaceAll("\\\n", "");
  return file
    .split(/^FROM /m)
    .slice(1)
    .map((part) => ({
      name: /^.* AS (\S+)/.exec(part)?.[1] ?? "",
      instructions: Array.from(part.matchAll(/^([A-Z]+) +(.*)$/gm), ([, name = "", text = ""]) => ({ name, text })),
    }));
}
