// Makes build/ and dist/, unless they are there, made from the same files: `npm start` after `npm ci`, and each test
// command, would make the same again. Contents are compared, not times, which a checkout or a copy changes.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const [stamp, compiler] = [`${root}build/stamp.txt`, `${root}node_modules/typescript/bin/tsc`];

/** The files of which the build is made. The lock stands for the packages in it. */
const sources = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];
const sourceFolders = ["src", "calibrate", "portal", "scripts"];

/** A digest of the paths and contents of files and folders; those that are not there are omitted. */
function digestOf(...paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    const stats = statSync(root + path, { throwIfNoEntry: false });
    if (stats?.isDirectory())
      hash.update(
        digestOf(
          ...readdirSync(root + path)
            .toSorted()
            .map((name) => `${path}/${name}`),
        ),
      );
    if (!stats?.isFile()) continue;
    const content = readFileSync(root + path);
    hash.update(JSON.stringify([path, content.length])).update(content);
  }
  return hash.digest("hex");
}

function stampNow() {
  try {
    return readFileSync(stamp, "utf8");
  } catch {
    return undefined;
  }
}

const sourceDigest = digestOf(...sources, ...sourceFolders);
if (stampNow() !== `${sourceDigest} ${digestOf("dist")}`) {
  // An interrupted build leaves no stamp, and one whose sources change meanwhile that of the sources before.
  rmSync(stamp, { force: true });
  try {
    execFileSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
  } catch {
    process.exit(1);
  }
  await import("./bundle.js");
  writeFileSync(stamp, `${sourceDigest} ${digestOf("dist")}`);
}
