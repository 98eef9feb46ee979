// A sandbox in its own process, whose timings a test can choose.
import process from "node:process";
import { startRunning } from "../../../build/src/sandbox/start-running.js";

const { options, timings } = JSON.parse(process.argv[2]);
const { sandbox, drain } = await startRunning(
  { port: 0, config: false, ...options, onFailure: (error) => process.send({ failure: String(error) }) },
  { timings },
);
process.send({ url: sandbox.url });
process.on("SIGTERM", async () => {
  await drain(0);
  await sandbox.close();
  process.exit(0);
});
