import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/**
 * The folders of `src` from top to bottom. A folder imports the layers below; folders of one layer do not import each
 * other.
 */
const layers = [
  ["cli"],
  ["testing", "vite"],
  ["."],
  ["public"],
  ["sandbox"],
  ["server"],
  ["service", "admin", "openapi", "storage", "client"],
  ["control"],
  ["environment"],
  ["scenario"],
  ["fixture"],
  ["settings"],
  ["errors"],
  ["coverage", "assumptions"],
  ["files"],
  ["model"],
  ["time"],
  ["validation"],
  ["text"],
  ["secrets"],
  ["bounds"],
];

/** Whether every folder may import a file: the public types, and the package's place. */
const isCommon = (path: string): boolean => path.startsWith("public/") || path === "package.ts";

/** The rooms of values, which need nothing above them. */
const values = ["files", "model", "time", "validation", "text", "secrets", "bounds"];

/** The files below the public API that `testing` may import. For all else, it uses a sandbox as any user does. */
const filesOfTesting = [
  "assumptions/catalog.ts",
  "client/connect.ts",
  "sandbox/config-file.ts",
  "sandbox/start-sandbox.ts",
];

/** The files below the public API that `vite` may import. It uses a sandbox as a user does, but for another folder. */
const filesOfVite = ["client/forward.ts", "sandbox/find-sandbox.ts", "server/host-check.ts"];

/** Folders that may only import a part of the layers below. */
const narrow: Readonly<Record<string, (path: string) => boolean>> = {
  testing: (path) => !path.includes("/") || values.includes(folderOf(path)) || filesOfTesting.includes(path),
  vite: (path) => !path.includes("/") || values.includes(folderOf(path)) || filesOfVite.includes(path),
  service: (path) => folderOf(path) !== "environment" || path === "environment/view.ts",
};

/** The only file of src with an import of calibrate/. */
const calibrateDoor = "cli/commands/calibrate.ts";

/** Packages, each with the folders that may import it. */
const packages: readonly (readonly [name: RegExp, folders: readonly string[]])[] = [
  [/^express(-rate-limit)?$/, ["server", "service", "admin"]],
  [/^lowdb\b/, ["fixture", "storage"]],
  [/^yargs\b/, ["cli"]],
  [/^(vitest|@playwright\/test|jest-environment-node)$/, ["testing"]],
];

const source = new URL("../src/", import.meta.url).pathname;
const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts"));

/** Returns the imports of a file, including types and dynamic imports: paths in the folder, and names of packages. */
function importsOf(file: string, folder = source): string[] {
  const text = readFileSync(join(folder, file), "utf8");
  return Array.from(text.matchAll(/(?:\bfrom |\bimport |\bimport\()"([^"]+)"/g), ([, name = ""]) =>
    name.startsWith(".") ? join(file, "..", name).replaceAll("\\", "/") : name,
  );
}

const folderOf = (path: string): string => (path.includes("/") ? (path.split("/")[0] ?? "") : ".");
const layerOf = (folder: string): number => layers.findIndex((folders) => folders.includes(folder));

function isAllowed(from: string, to: string): boolean {
  const [folder, folderOfImport] = [folderOf(from), folderOf(to)];
  if (!to.endsWith(".ts")) return packages.every(([name, folders]) => !name.test(to) || folders.includes(folder));
  if (to.startsWith("../calibrate/")) return from === calibrateDoor;
  if (folder === folderOfImport || isCommon(to)) return true;
  return layerOf(folder) < layerOf(folderOfImport) && (narrow[folder]?.(to) ?? true);
}

test("every folder is in a layer, and imports only lower layers", () => {
  expect(files.filter((file) => layerOf(folderOf(file)) === -1)).toEqual([]);
  const wrong = files.flatMap((file) =>
    importsOf(file).flatMap((to) => (isAllowed(file, to) ? [] : `${file} → ${to}`)),
  );
  expect(wrong).toEqual([]);
});

test("the tree in docs/architecture.md has every folder of test", () => {
  const page = readFileSync(new URL("../docs/architecture.md", import.meta.url), "utf8");
  const [, tree = ""] = /^test\/\n((?: {2}.*\n)+)/m.exec(page) ?? [];
  const folders = readdirSync(new URL(".", import.meta.url), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? entry.name : [],
  );
  const sources = [...layers.flat(), "calibrate", "portal"];
  expect(folders.filter((folder) => !sources.includes(folder) && !tree.includes(` ${folder}/`))).toEqual([]);
});

test("docs/architecture.md has these folders and layers", () => {
  const page = readFileSync(new URL("../docs/architecture.md", import.meta.url), "utf8");
  const line = layers
    .map((folders) => folders.map((folder) => (folder === "." ? "src/*.ts" : folder)).join(" | "))
    .join(" → ");
  expect(page).toContain(`\n${line}\n`);
  const [, tree = ""] = /^src\/\n((?: {2}.*\n)+)/m.exec(page) ?? [];
  const folders = Array.from(tree.matchAll(/^ {2}([\w-]+)\/ /gm), ([, folder]) => folder);
  expect(new Set(folders)).toEqual(new Set(layers.flat().filter((folder) => folder !== ".")));
});

/** The rooms of `portal` from top to bottom; those of one layer, such as two views, do not import each other. */
const portalRooms = [["."], ["views", "palette"], ["shared"], ["clock"], ["components"], ["data"], ["base"]];

/** The room of a file; each folder of `views` is one. */
const portalRoomOf = (path: string): string => /^views\/[^/]+/.exec(path)?.[0] ?? folderOf(path);
const portalLayerOf = (path: string): number => portalRooms.findIndex((rooms) => rooms.includes(folderOf(path)));

/** The files of `src` whose types the portal may import. */
const portalTypes = ["../src/public/control.ts", "../src/control/operations.ts", "../src/openapi/openapi-types.ts"];

/** Whether a file is one of those that the portal may import because they do not need Node. */
const isWithoutNode = (path: string): boolean =>
  path.startsWith("model/") || path.startsWith("time/") || ["text/text.ts", "text/curl.ts"].includes(path);

test("what the portal may import needs no Node", () => {
  const reached = new Set(files.filter(isWithoutNode));
  for (const file of reached) for (const to of importsOf(file)) if (to.endsWith(".ts")) reached.add(to);
  const wrong = [...reached].filter((file) => importsOf(file).some((to) => to.startsWith("node:")));
  expect(wrong).toEqual([]);
});

test("the portal imports only model, time, text and types of three files of src, and its rooms only lower ones", () => {
  const portal = new URL("../portal/", import.meta.url).pathname;
  const programs = readdirSync(portal, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  expect(programs.filter((file) => portalLayerOf(file) === -1)).toEqual([]);
  const wrong = programs.flatMap((file) => {
    const lines = readFileSync(join(portal, file), "utf8").match(/^.*\bfrom "\.[^"]*".*$/gm) ?? [];
    return lines
      .filter((line) => {
        const to = join(file, "..", /"(.*)"/.exec(line)?.[1] ?? "").replaceAll("\\", "/");
        if (isWithoutNode(to.replace("../src/", ""))) return false;
        if (to.startsWith("..")) return !portalTypes.includes(to) || !/^(?:import type|export type|\}) /.test(line);
        return portalRoomOf(file) !== portalRoomOf(to) && portalLayerOf(file) >= portalLayerOf(to);
      })
      .map((line) => `${file}: ${line}`);
  });
  expect(wrong).toEqual([]);
});

test("calibrate/ imports only assumptions, values and output of src, and its command imports it late", () => {
  const calibrate = new URL("../calibrate/", import.meta.url).pathname;
  const wrong = readdirSync(calibrate, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => {
      const imports = importsOf(file, calibrate).filter((to) => to.startsWith("../"));
      const allowed = ["assumptions/", "cli/output/", ...values.map((room) => `${room}/`)];
      return imports.flatMap((to) =>
        allowed.some((room) => to.startsWith(`../src/${room}`)) ? [] : `${file} → ${to}`,
      );
    });
  expect(wrong).toEqual([]);
  expect(readFileSync(join(source, calibrateDoor), "utf8")).not.toMatch(/from "[./]*calibrate\//);
});

test("no file is in a circle of imports", () => {
  const candidates = new Map(files.map((file) => [file, importsOf(file).filter((to) => to.endsWith(".ts"))]));
  // A file outside every circle has no importer, or no import, among the candidates.
  for (let size = -1; size !== candidates.size;) {
    size = candidates.size;
    const imported = new Set([...candidates.values()].flat());
    for (const [file, imports] of candidates) {
      if (!imported.has(file) || !imports.some((to) => candidates.has(to))) candidates.delete(file);
    }
  }
  expect([...candidates.keys()]).toEqual([]);
});
