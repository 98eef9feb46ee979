import { z } from "zod";
import { writtenScenario } from "./schema.ts";

/** The JSON Schema (2020-12) of scenario files, for editors. */
export function scenarioJsonSchema(): object {
  return z.toJSONSchema(writtenScenario, { io: "input" });
}
