// Bundles portal/ into dist/portal/: the page, and its program, style and icon. Their names are hashes, so a browser
// may cache them for good.
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { bundleAsync } from "lightningcss";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../", import.meta.url));
const [portal, dist] = [`${root}portal/`, `${root}dist/portal/`];

const bundle = await rolldown({
  cwd: root,
  input: `${portal}main.tsx`,
  platform: "browser",
  tsconfig: `${portal}tsconfig.json`,
  // Inlining a constant at each of its uses would make the program larger.
  optimization: { inlineConst: false },
  transform: {
    target: "es2022",
    // Omits the connection to a developer tool, and code for browsers without animation frames.
    define: { "window.__PREACT_SIGNALS_DEVTOOLS__": "false", "typeof requestAnimationFrame": '"function"' },
    // Calls of h() are shorter than those of the automatic runtime. They accept a spread `key` as the element's own.
    jsx: { runtime: "classic", pragma: "h", pragmaFrag: "Fragment" },
    inject: { h: ["preact", "h"], Fragment: ["preact", "Fragment"] },
  },
});
const { output } = await bundle.generate({ format: "esm", minify: true, comments: false, codeSplitting: false });
await bundle.close();
const [program] = output;

/** The modules in the program. */
export const modules = program.moduleIds;

const { code: style } = await bundleAsync({ filename: `${portal}style.css`, minify: true });

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
const files = {
  "main.js": program.code,
  "style.css": style,
  "icon.svg": await readFile(`${portal}icon.svg`),
};
let page = await readFile(`${portal}index.html`, "utf8");
for (const [name, content] of Object.entries(files)) {
  if (!page.includes(`"${name}"`)) throw new Error(`portal/index.html does not name ${name}.`);
  page = page.replace(`"${name}"`, `"/portal/${await write(content, name.split(".").at(-1))}"`);
}
await writeFile(`${dist}index.html`, page);

/** Writes a file under the hash of its content, and returns its name. */
async function write(content, ending) {
  const name = `${createHash("sha256").update(content).digest("hex").slice(0, 16)}.${ending}`;
  await writeFile(dist + name, content);
  return name;
}
