#!/usr/bin/env node
import module from "node:module";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`offering-sandbox needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
// From the second start on, Node 22.1 and newer do not compile anything.
module.enableCompileCache?.();
const { main } = await import("../dist/main.js");
await main(process.argv.slice(2));
