// Bundles the modules of build/ into a few files of dist/, with the packages outside the dependencies in package.json,
// the licenses of those packages, the declarations of the entries, and the portal.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { chunks } from "./chunks.js";
import { writeCommonJs } from "./common-js.js";
import { copyDeclarations } from "./declarations.js";
import { thirdPartyNotices } from "./third-party.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const [build, dist] = [`${root}build/src/`, `${root}dist/`];
const manifest = JSON.parse(await readFile(`${root}package.json`, "utf8"));

/** The entries of package.json: the file in dist/, and the module in build/src/ whose declarations it has. */
const imported = Object.values(manifest.exports)
  .filter((entry) => entry.types !== undefined)
  .map(({ types, default: file }) => [inDist(file, ".js"), inDist(types, ".d.ts")]);

function inDist(path, ending) {
  return path.slice("./dist/".length, -ending.length);
}

const externalPackages = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
const isOutside = (id) => externalPackages.some((name) => id === name || id.startsWith(`${name}/`));

/**
 * Modules to require instead of importing: before an import, Node parses a CommonJS module for its exported names, and
 * reads every member of node:http, one of which loads all of `fetch` on Node 22 and newer. That takes 20 ms.
 */
const required = ["node:http", "express", "express-rate-limit"];
const isRequired = (id, importer) => required.includes(id) && importer !== asRequired(id);
const asRequired = (id) => `required ${id}`;

const requirePlugin = {
  name: "require-them",
  resolveId: (id, importer) => (isRequired(id, importer) ? asRequired(id) : null),
  load(path) {
    const id = required.find((candidate) => asRequired(candidate) === path);
    return id === undefined ? null : `module.exports = require("${id}");`;
  },
};

/**
 * Modules of packages that are replaced by lighter ones. Two load with yargs and take 30 ms of a start: `string-width`
 * has tables of wide characters, which our help does not use, and `assert` only lets yargs check itself. The third
 * module brings Ajv, 250 KB, for prompts, which our server never shows. Of prom-client
 * we only need what writes the text.
 */
const lightweight = {
  "string-width": "export default (text) => text.length;",
  assert: "export const notStrictEqual = () => {}, strictEqual = notStrictEqual;",
  "../validation/ajv-provider.js": "export class AjvJsonSchemaValidator {}",
};
const unusedModules = [
  "bucketGenerators",
  "cluster",
  "counter",
  "defaultMetrics",
  "gauge",
  "histogram",
  "metricAggregators",
];
unusedModules.push("pushgateway", "summary", "validation");
for (const name of unusedModules) lightweight[`./lib/${name}`] = "export {};";
const lightenedPackages = /\/node_modules\/(yargs|cliui|wrap-ansi|prom-client|@modelcontextprotocol\/sdk)\//;

const lightenPackages = {
  name: "lighten-packages",
  resolveId: (id, importer) =>
    Object.hasOwn(lightweight, id) && lightenedPackages.test(importer?.replaceAll("\\", "/"))
      ? `lightweight ${id}`
      : null,
  load: (path) => lightweight[path.replace("lightweight ", "")] ?? null,
};

/**
 * Globals that code under test in the same process may replace, or mock members of: fake timers, a stub of `URL`, a spy
 * on `performance.now`. The bundles take them from Node's modules, or as they are when the package is imported. Not
 * `fetch`, which takes 20 ms to load.
 */
const capturedGlobals = [
  "AbortController",
  "AbortSignal",
  "Intl",
  "TextDecoder",
  "TextEncoder",
  "URL",
  "URLSearchParams",
];
capturedGlobals.push("queueMicrotask", "structuredClone");
const globalsAtImport = "globals at import";
const globalsModule = `import { performance as clock } from "node:perf_hooks";
export const { ${capturedGlobals.join()} } = globalThis;
export const performance = { timeOrigin: clock.timeOrigin, now: clock.now.bind(clock) };
const { now, parse, UTC } = globalThis.Date;
export const Date = Object.assign(class extends globalThis.Date {}, { now, parse, UTC });`;
const timers = ["Timeout", "Interval", "Immediate"].flatMap((kind) => [`set${kind}`, `clear${kind}`]);
const inject = {
  ...Object.fromEntries(timers.map((name) => [name, ["node:timers", name]])),
  ...Object.fromEntries(["Date", "performance", ...capturedGlobals].map((name) => [name, [globalsAtImport, name]])),
};

const captureGlobals = {
  name: "capture-globals",
  resolveId: (id) => (id === globalsAtImport ? id : null),
  load: (path) => (path === globalsAtImport ? globalsModule : null),
};

const { cannotBeBundled } = await import("../build/src/package.js");

const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries([
    ...imported.map(([file, module]) => [file, `${build}${module}.js`]),
    ["main", `${build}cli/main.js`],
  ]),
  external: (id, importer) => isOutside(id) && !isRequired(id, importer),
  platform: "node",
  // Bundlers do not see how the CommonJS modules of jsonc-parser require each other.
  resolve: { mainFields: ["module", "main"] },
  // A module may be imported late in one place, and eagerly in another.
  checks: { ineffectiveDynamicImport: false },
  plugins: [requirePlugin, lightenPackages, captureGlobals],
  transform: { inject },
});
const { output } = await bundle.write({
  dir: dist,
  cleanDir: true,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name].js",
  minifyInternalExports: false,
  // The declarations have the docstrings for users.
  comments: { jsdoc: false },
  // A bundle in the form of CommonJS fails when it first uses a module's address.
  banner: ({ name }) =>
    name === "rolldown-runtime" ? `if (!import.meta.url) throw new Error(${JSON.stringify(cannotBeBundled)});` : "",
  codeSplitting: { groups: chunks(build, Object.keys(manifest.devDependencies)) },
});
await bundle.close();

// After the bundles, which empty the folder.
const { modules: portal } = await import("./bundle-portal.js");
const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
await writeFile(`${dist}THIRD-PARTY.txt`, await thirdPartyNotices([...modules, ...portal]));
const declarations = imported.map(([, module]) => `${module}.d.ts`);
await copyDeclarations(declarations, build, dist);
for (const [file, module] of imported) {
  const { exports = [] } = output.find(({ name, isEntry }) => isEntry && name === file) ?? {};
  await writeCommonJs(`${dist}${file}`, `${dist}${module}`, exports);
}
