import { writeFile } from "node:fs/promises";
import { configSchema } from "../build/src/cli/settings/config-file.js";

const target = new URL("../schema/config.schema.json", import.meta.url);
await writeFile(target, `${JSON.stringify(configSchema(), null, 2)}\n`);
