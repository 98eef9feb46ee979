import type { RunDescription } from "../public/control.ts";
import type { Environment } from "../environment/environment.ts";
import { findSubject, formatMissing } from "../environment/references.ts";
import type { Run } from "../environment/run.ts";
import { ControlError, notFound } from "../errors/control-error.ts";
import { withoutPastedKeys } from "../secrets/secrets.ts";
import { inputLimits } from "../bounds/bounds.ts";
import { type Issue, createIssueAt, ConflictError, messageOf } from "../validation/errors.ts";
import { isName, quoted } from "../text/text.ts";
import { type Scenario, summarizeScenario } from "../scenario/scenario.ts";
import type { Handlers } from "./call.ts";

// These modules load late, because the start of a sandbox does not need YAML.
const scenarioFiles = () => import("../scenario/load.ts");
const scenarioParser = () => import("../scenario/parse.ts");

/** The message that refuses a path. */
export const noFiles = "The admin API reads no files: send the content of a file in place of its path.";

/** The handlers of the operations on scenarios and runs. */
export const scenarioHandlers = {
  /** Lists the saved scenarios, then the shipped ones and those of the server's start. */
  async listScenarios({ environment }) {
    const { shippedScenarios } = await scenarioFiles();
    const { savedScenarios: saved, config } = environment;
    const scenarios = [...saved, ...(await shippedScenarios()), ...config.loadedScenarios, ...saved];
    const byName = new Map(scenarios.map((scenario) => [scenario.name, summarizeScenario(scenario)]));
    return { data: [...byName.values()] };
  },

  async getScenario({ environment, id: name }) {
    const scenarios = environmentScenarios(environment);
    const [{ shippedScenario, withText }, { scenarioDetail }] = await Promise.all([scenarioFiles(), scenarioParser()]);
    const names = scenarios.map((scenario) => scenario.name);
    const scenario =
      scenarios.find((candidate) => candidate.name === name) ?? (await shippedScenario(name, names).catch(notFound));
    return scenarioDetail(await withText(scenario));
  },

  async checkScenario({ environment, body }) {
    const { examineScenario, scenarioDetail } = await scenarioParser();
    const { scenario, warnings, ...result } = examineScenario(body, undefined, (checkedScenario) =>
      missingSubject(checkedScenario, environment),
    );
    const errors = result.errors.map((error) => ({ ...error, message: withoutPastedKeys(error.message) }));
    return { valid: scenario !== undefined, errors, warnings, scenario: scenario ? scenarioDetail(scenario) : null };
  },

  async saveScenario({ environment, body }) {
    const [{ shippedScenarios }, { readSaved }] = await Promise.all([scenarioFiles(), scenarioParser()]);
    const savedScenario = readSaved(body);
    const { name } = savedScenario;
    const fixedScenarios = [...(await shippedScenarios()), ...environment.config.loadedScenarios];
    if (fixedScenarios.some((scenario) => scenario.name === name))
      throw new ConflictError(`Scenario ${quoted(name)} ships or was loaded at the start; choose another name.`);
    const otherScenarios = environment.savedScenarios.filter((scenario) => scenario.name !== name);
    if (otherScenarios.length >= inputLimits.scenarios)
      throw new ConflictError(`There are ${inputLimits.scenarios} saved scenarios, the limit; delete one first.`);
    environment.replaceSavedScenarios([savedScenario, ...otherScenarios]);
    return summarizeScenario(savedScenario);
  },

  deleteScenario({ environment, id }) {
    const { savedScenarios } = environment;
    const names = savedScenarios.map(({ name }) => name);
    if (!names.includes(id)) throw new ControlError("not_found", formatMissing("saved scenario", id, names));
    environment.replaceSavedScenarios(savedScenarios.filter(({ name }) => name !== id));
  },

  recordScenario: async ({ environment, body }) => (await import("./recording.ts")).recordScenario(environment, body),

  listRuns: ({ environment: { internals } }) => ({
    data: internals.runs.all.map((run) => internals.runs.describe(run)),
  }),

  async getRun({ environment, id }) {
    const run = findRun(environment, id);
    const script = (await scenarioParser()).scenarioDetail(run.scenario);
    return { ...environment.internals.runs.describe(run), script };
  },

  async playScenario({ environment, isRemote, body }) {
    const { scenario, ...subject } = typeof body === "string" ? { scenario: body } : body;
    const script = await scenarioFrom(scenario, environmentScenarios(environment), isRemote);
    await environment.internals.runs.prepare();
    const run = await environment.whenCaughtUp(() => environment.internals.runs.play(script, subject));
    return environment.whenCaughtUp(() => environment.internals.runs.describe(run));
  },

  playNext: ({ environment, id }) => continueRun(environment, id, "next"),
  stopRun: ({ environment, id }) => continueRun(environment, id, "stop"),
} satisfies Partial<Handlers>;

/** Returns the scenarios of an environment without the shipped ones. A saved one precedes a loaded one of its name. */
function environmentScenarios({ savedScenarios, config }: Environment): readonly Scenario[] {
  return [...savedScenarios, ...config.loadedScenarios];
}

/** Returns an issue if the investment or offering of a scenario does not exist now. */
function missingSubject(scenario: Scenario, { internals: { history } }: Environment): Issue[] {
  try {
    findSubject(scenario, {}, history);
    return [];
  } catch (error) {
    const path = [typeof scenario.investment === "string" ? "investment" : "offering"];
    const reason = messageOf(error instanceof Error ? (error.cause ?? error) : error);
    return [createIssueAt(path, `cannot be played on now. ${reason}`)];
  }
}

/** Copies data in the form that the database stores, so that the caller cannot change it. */
function copyOf<Data>(data: Data): Data {
  return JSON.parse(JSON.stringify(data)) as Data;
}

/**
 * Returns a scenario from a document, the text of a file, the name of a loaded or a shipped scenario, or, unless the
 * caller is remote, the path of a file. Throws ValidationError, FileValidationError and FileReadError.
 */
export async function scenarioFrom(
  source: string | object,
  loaded: readonly Scenario[],
  isRemote = false,
): Promise<Scenario> {
  if (typeof source !== "string") return copyOf((await scenarioParser()).checkScenario(source));
  const loadedScenario = loaded.find((scenario) => scenario.name === source);
  if (loadedScenario) return loadedScenario;
  const { isScenarioText, loadScenario, shippedScenario } = await scenarioFiles();
  if (isScenarioText(source)) return copyOf((await scenarioParser()).parseScenario(source, "inline").scenario);
  const names = loaded.map(({ name }) => name);
  if (isName(source)) return shippedScenario(source, names);
  if (!isRemote) return loadScenario(source);
  throw new ControlError("invalid", `There is no scenario of this name. ${noFiles}`);
}

/** Plays the waiting step of a run, or stops the run. */
function continueRun(environment: Environment, id: string, command: "next" | "stop"): RunDescription {
  const { runs } = environment.internals;
  const run = findRun(environment, id);
  runs[command](run);
  return runs.describe(run);
}

function findRun({ internals: { runs } }: Environment, id: string): Run {
  const run = runs.all.find((candidate) => candidate.id === id);
  if (run) return run;
  const ids = runs.all.map((candidate) => candidate.id);
  throw new ControlError("not_found", formatMissing("run", id, ids));
}
