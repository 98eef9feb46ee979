import { asControlError } from "../errors/control-error.ts";
import type { checkedBody as check } from "./bodies.ts";
import { type HandledCall, handlers, type Server } from "./handlers.ts";
import { type AdminOperation, one } from "./operation.ts";
import { type AdminOperationId, adminOperations, type AnswerOf } from "./operations.ts";

/** The schemas of bodies load zod, so they load with the first body. Other calls wait for them too, to keep their order. */
let checkedBody: typeof check | undefined;
let loading: Promise<void> | undefined;

async function loadSchemas(): Promise<void> {
  try {
    ({ checkedBody } = await import("./bodies.ts"));
  } finally {
    loading = undefined;
  }
}

/** A call of an operation. Its query is checked, its body plain data. */
interface PerformedCall extends Pick<HandledCall, "environment" | "origin" | "isRemote"> {
  readonly id?: string | undefined;
  readonly query?: unknown;
  readonly body?: unknown;
  /** The text of a scenario file, in place of a body. */
  readonly text?: string | undefined;
}

/**
 * Performs an operation, for a client of this process or for one over HTTP: checks the body, waits until the environment has
 * caught up with its clock, and resolves once the database has the changes. Rejects with ControlError; then nothing has
 * changed, except with the code `not_kept`.
 */
export function perform<Id extends AdminOperationId>(
  operationId: Id,
  server: Server,
  { id = "", query = {}, body, text, ...call }: PerformedCall,
): Promise<AnswerOf<Id>> {
  const operation: AdminOperation = adminOperations[operationId];
  const { environment } = call;
  const handle = handlers[operationId] as (call: unknown) => AnswerOf<Id> | Promise<AnswerOf<Id>>;
  return asControlError(async () => {
    const { body: name, whole } = operation;
    const isChecked = name !== undefined && whole !== undefined && text === undefined;
    if (isChecked && !checkedBody) loading ??= loadSchemas();
    if (loading) await loading;
    const checked = isChecked ? checkedBody?.(name, body, whole) : (text ?? body);
    const act = () => handle({ ...call, server, id, query, body: checked });
    const isOnEnvironment = operation.path.startsWith(one);
    const answer = await (isOnEnvironment && operation.waits !== false ? environment.caughtUp(act) : act());
    if (!operation.changes) return answer;
    if (isOnEnvironment) environment.stores.commands += 1;
    await server.commit();
    return answer;
  });
}
