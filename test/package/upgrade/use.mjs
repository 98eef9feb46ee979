// @ts-check
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { CannotConnect, FileMistakes, Mistake, connectSandbox, startSandbox } from "offering-sandbox";

/** @type {(report: import("offering-sandbox").CoverageReport) => string} */
const summaryOf = (report) => `${report.met} of ${report.of}, ${report.behaviours.length} in all`;
/** @type {(behaviour: import("offering-sandbox").BehaviourCoverage) => string} */
const lineFor = (behaviour) => behaviour.meet;
/** @type {(move: import("offering-sandbox").ClockReturn) => number} */
const undoneBy = (move) => move.undone_count;
/** @type {(outline: import("offering-sandbox").TimelineOutline) => number} */
const changesIn = (outline) => outline.total;
/** @type {(answer: import("offering-sandbox").RequestAnswer) => number | null} */
const statusOf = (answer) => answer.status;

const sandbox = await startSandbox({ port: 0, casesDir: "failed", config: false });
const headers = { authorization: `Bearer ${sandbox.keys.partner}` };
const list = await fetch(`${sandbox.baseUrl}/offerings/${sandbox.offering.id}/investments?size=1`, { headers });
const page = /** @type {{ data: { id: string }[] }} */ (await list.json());
writeFileSync("investments.json", JSON.stringify(page));

const [entry] = (await sandbox.requests.list()).data;
assert(entry && entry.milliseconds >= 0 && entry.rests_on.length >= 0);
assert.equal(statusOf(await sandbox.requests.answer(entry.id)), 200);
const replayed = await sandbox.replay(undefined, { answers: true });
assert.deepEqual([replayed.same, replayed.other], [1, 0]);

const compared = await sandbox.compare({ investment_id: page.data[0]?.id });
assert("data" in compared.held && compared.readings.length > 0);
const fault = await sandbox.faults.add({ respond: { status: 503 } });
assert.match(fault.words, /503/);

const report = await sandbox.coverage();
assert.match(summaryOf(report), /^\d+ of \d+/);
assert(report.behaviours.map(lineFor).every((line) => line.length > 0));
assert((await sandbox.assumptions.list()).some((assumption) => assumption.rested_on > 0));
assert(changesIn(await sandbox.outline()) > 0);
assert(undoneBy(await sandbox.clock.previous()) > 0);

assert((await sandbox.scenarios.check("name: 1")).mistakes.length > 0);
writeFileSync("bad.json", '{ "offerings": 1 }');
const failed = await startSandbox({ fixture: "bad.json", config: false }).catch((error) => error);
assert(failed instanceof FileMistakes && failed.mistakes.length + failed.findings.length > 0);
assert((await startSandbox(JSON.parse('{ "profile": "x" }')).catch((error) => error)) instanceof Mistake);
const { url } = sandbox;
const codeOf = async (path = "", init = {}) => {
  const { code } = await fetch(`${url}/__admin${path}`, init).then((response) => response.json());
  return /** @type {string} */ (code);
};
assert.equal(await codeOf(`/requests/${entry.id}/answer`), undefined);
assert.equal(await codeOf("/timeline/outline"), undefined);
await sandbox.close();
assert((await connectSandbox(url).catch((error) => error)) instanceof CannotConnect);
