import { asControlError } from "../errors/control-error.ts";
import type { checkedBody } from "./bodies.ts";
import type { Caller, CallParts, HandledCall, Handlers, Server } from "./call.ts";
import { handlers } from "./handlers.ts";
import type { editHandlers } from "./investments.ts";
import { type AdminOperation, environmentPath } from "./operation.ts";
import { type AdminOperationId, adminOperations, type ResponseOf } from "./operations.ts";

/**
 * The schemas of bodies load zod, and only a few bodies need the code that completes an investment: both load with the
 * first body. Other calls also wait for them, so that calls stay in order.
 */
let bodyModules: { readonly check: typeof checkedBody; readonly edit: typeof editHandlers } | undefined;
let loading: Promise<void> | undefined;

async function loadBodyModules(): Promise<void> {
  try {
    const [{ checkedBody: check }, { editHandlers: edit }] = await Promise.all([
      import("./bodies.ts"),
      import("./investments.ts"),
    ]);
    bodyModules = { check, edit };
  } finally {
    loading = undefined;
  }
}

/**
 * Performs an operation, for a client of this process or for one over HTTP: checks the body, waits until the
 * environment has caught up with its clock, and resolves once the database has the changes. The query is already
 * checked, and the body plain data; `text` is the text of a scenario file in place of a body. If it rejects with
 * ControlError, nothing has changed, except with the code `not_saved`.
 */
export function perform<Id extends AdminOperationId>(
  operationId: Id,
  server: Server,
  { id = "", query = {}, body, text, ...caller }: CallParts & Caller & { readonly text?: string | undefined },
): Promise<ResponseOf<Id>> {
  const operation: AdminOperation = adminOperations[operationId];
  const { environment } = caller;
  return asControlError(async () => {
    const { body: name, label } = operation;
    const isChecked = name !== undefined && label !== undefined && text === undefined;
    if (isChecked && !bodyModules) loading ??= loadBodyModules();
    if (loading) await loading;
    const checked = isChecked ? bodyModules?.check(name, body, label) : (text ?? body);
    const table: Partial<Handlers> = operationId in handlers ? handlers : { ...bodyModules?.edit };
    const handle = table[operationId] as (call: HandledCall<Id>) => ResponseOf<Id> | Promise<ResponseOf<Id>>;
    const act = () => handle({ ...caller, server, id, query, body: checked } as HandledCall<Id>);
    const isOnEnvironment = operation.path.startsWith(environmentPath);
    const once = async () => {
      const response = await (isOnEnvironment && operation.waits !== false ? environment.whenCaughtUp(act) : act());
      if (!operation.changes) return response;
      if (isOnEnvironment) {
        environment.noteCommand();
        if (!operation.keepsUndo) environment.internals.undoSteps.length = 0;
      }
      await server.commit(isOnEnvironment ? environment : undefined);
      return response;
    };
    const { lease } = isOnEnvironment && operation.changes ? environment : {};
    return lease ? lease.withLease(once, operation.waits === false) : once();
  });
}
