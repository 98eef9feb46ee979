/** Runs all properties with one seed after another, for a number of minutes, and prints the failing cases. */
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { createVitest } from "vitest/node";

const minutes = Number(process.argv[2] ?? 10);
if (!(minutes > 0)) {
  console.error(`npm run test:explore [minutes]: expected a number of minutes, not "${process.argv[2]}".`);
  process.exit(2);
}

const files = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((name) => `test/${name}`)
  .filter((file) => file.endsWith(".test.ts") && /\bfc\.assert\(/.test(readFileSync(file, "utf8")));
const deadline = Date.now() + minutes * 60_000;
const count = { seeds: 0, failures: 0 };

/** Prints the seed and the case of a failed test. */
const reporter = {
  onTestCaseResult(test) {
    const { state, errors } = test.result();
    if (state !== "failed") return;
    count.failures++;
    console.log(`\nFAILED  ${test.module.relativeModuleId} > ${test.fullName}`);
    for (const error of errors ?? []) {
      for (let cause = error; cause; cause = cause.cause) console.log(stripVTControlCharacters(cause.message));
    }
    console.log(
      `again: SEED=${process.env.SEED} CASE_FACTOR=${process.env.CASE_FACTOR} npx vitest run --project fast ${test.module.relativeModuleId}`,
    );
  },
};

process.env.CASE_FACTOR ??= "4";
while (Date.now() < deadline) {
  process.env.SEED = String(randomInt(2 ** 31));
  console.log(`seed ${process.env.SEED}, ${Math.ceil((deadline - Date.now()) / 60_000)} min left`);
  const vitest = await createVitest("test", { project: ["fast"], reporters: [reporter], watch: false });
  const end = setTimeout(() => vitest.cancelCurrentRun("keyboard-input"), deadline - Date.now());
  await vitest.start(files);
  clearTimeout(end);
  count.seeds++;
  await vitest.close();
}
console.log(`\n${count.seeds} seeds, ${count.failures} failures`);
process.exit(count.failures > 0 ? 1 : 0);
