import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The rooms of `src` from top to bottom. A room imports the layers below its own; rooms of one layer do not see each other. */
const layers = [
  ["cli", "runners"],
  ["."],
  ["server"],
  ["service", "admin", "openapi", "storage", "client"],
  ["control"],
  ["environment"],
  ["scenario"],
  ["fixture"],
  ["settings"],
  ["errors"],
  ["assumptions"],
  ["model"],
];

/** Public types and the place of the package: every room may import them. */
const common = ["control.ts", "descriptions.ts", "options.ts", "package.ts"];

/** Rooms that see less of the layers below than their place allows. */
const narrow: Readonly<Record<string, (path: string) => boolean>> = {
  runners: (path) => !path.includes("/") || path === "model/text.ts",
  service: (path) => roomOf(path) !== "environment" || path === "environment/view.ts",
};

/** The one file of src that imports calibrate/. */
const calibrateDoor = "cli/commands/calibrate.ts";

/** The rooms that may import a package or the modules of Node. */
const packages: readonly (readonly [name: RegExp, rooms: readonly string[]])[] = [
  [/^express(-rate-limit)?$/, ["server", "service", "admin"]],
  [/^lowdb\b/, ["fixture", "storage"]],
  [/^yargs\b/, ["cli"]],
  [/^(vitest|@playwright\/test|jest-environment-node)$/, ["runners"]],
];

const source = new URL("../src/", import.meta.url).pathname;
const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts"));

/** The imports of a file, types and late imports included: paths within the folder, and names of packages. */
function importsOf(file: string, folder = source): string[] {
  const text = readFileSync(join(folder, file), "utf8");
  return Array.from(text.matchAll(/(?:\bfrom |\bimport |\bimport\()"([^"]+)"/g), ([, name = ""]) =>
    name.startsWith(".") ? join(file, "..", name).replaceAll("\\", "/") : name,
  );
}

const roomOf = (path: string): string => (path.includes("/") ? (path.split("/")[0] ?? "") : ".");
const layerOf = (room: string): number => layers.findIndex((rooms) => rooms.includes(room));

function isAllowed(from: string, to: string): boolean {
  const [room, other] = [roomOf(from), roomOf(to)];
  if (!to.endsWith(".ts")) return packages.every(([name, rooms]) => !name.test(to) || rooms.includes(room));
  if (to.startsWith("../calibrate/")) return from === calibrateDoor;
  if (room === other || common.includes(to)) return true;
  return layerOf(room) < layerOf(other) && (narrow[room]?.(to) ?? true);
}

test("every room is in a layer, and imports only what is below it", () => {
  expect(files.filter((file) => layerOf(roomOf(file)) === -1)).toEqual([]);
  const wrong = files.flatMap((file) =>
    importsOf(file).flatMap((to) => (isAllowed(file, to) ? [] : `${file} → ${to}`)),
  );
  expect(wrong).toEqual([]);
});

/** The rooms of `portal` from top to bottom; its other files stand above them, or serve all. */
const portalRooms = ["views", "clock", "parts", "server"];

/** The types of `src` that the portal knows: those of the control interface, and of the calls that the admin API takes. */
const portalTypes = ["../src/control.ts", "../src/control/operations.ts"];

test("the portal imports types of two files of src, and its rooms only what is below them", () => {
  const portal = new URL("../portal/", import.meta.url).pathname;
  const wrong = readdirSync(portal, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const place = portalRooms.indexOf(roomOf(file));
      const lines = readFileSync(join(portal, file), "utf8").match(/^.*\bfrom "\.[^"]*".*$/gm) ?? [];
      return lines.filter((line) => {
        const to = join(file, "..", /"(.*)"/.exec(line)?.[1] ?? "").replaceAll("\\", "/");
        if (to.startsWith("..")) return !portalTypes.includes(to) || !/^(?:import type|export type|\}) /.test(line);
        return portalRooms.slice(0, Math.max(0, place)).includes(roomOf(to));
      });
    });
  expect(wrong).toEqual([]);
});

test("calibrate/ imports of src assumptions and model alone, and its command imports it late", () => {
  const calibrate = new URL("../calibrate/", import.meta.url).pathname;
  const wrong = readdirSync(calibrate, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => {
      const imports = importsOf(file, calibrate).filter((to) => to.startsWith("../"));
      return imports.flatMap((to) => (/^\.\.\/src\/(assumptions|model)\//.test(to) ? [] : `${file} → ${to}`));
    });
  expect(wrong).toEqual([]);
  expect(readFileSync(join(source, calibrateDoor), "utf8")).not.toMatch(/from "[./]*calibrate\//);
});

test("no file imports itself, however far round", () => {
  const left = new Map(files.map((file) => [file, importsOf(file).filter((to) => to.endsWith(".ts"))]));
  // A file that imports nothing that is left, or that nothing left imports, is in no circle.
  for (let size = -1; size !== left.size;) {
    size = left.size;
    const imported = new Set([...left.values()].flat());
    for (const [file, imports] of left) {
      if (!imported.has(file) || !imports.some((to) => left.has(to))) left.delete(file);
    }
  }
  expect([...left.keys()]).toEqual([]);
});
