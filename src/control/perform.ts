import { asControlError } from "../errors/control-error.ts";
import type { checkedBody } from "./bodies.ts";
import type { Caller, CallArguments, HandledCall, Handlers, Server } from "./call.ts";
import { handlers } from "./handlers.ts";
import type { editHandlers } from "./investments.ts";
import { type AdminOperation, environmentPath } from "./operation.ts";
import { type AdminOperationId, adminOperations, type ResponseOf } from "./operations.ts";

/**
 * The modules that load with the first body: the schemas, which load zod, and the code that completes an investment.
 * Calls without a body also wait while the modules load, so that calls stay in order.
 */
let bodyModules: { readonly checkBody: typeof checkedBody; readonly editHandlers: typeof editHandlers } | undefined;
let pendingLoad: Promise<void> | undefined;

async function loadBodyModules(): Promise<void> {
  try {
    const [{ checkedBody: checkBody }, { editHandlers }] = await Promise.all([
      import("./bodies.ts"),
      import("./investments.ts"),
    ]);
    bodyModules = { checkBody, editHandlers };
  } finally {
    pendingLoad = undefined;
  }
}

/**
 * Performs an operation, for a client of this process or for one over HTTP: checks the body, waits until the
 * environment has caught up with its clock, and resolves once the database has the changes. The query is already
 * checked, and the body is plain data; `text` is the text of a scenario file in place of a body. A rejection with
 * ControlError means that nothing has changed, unless its code is `not_saved`.
 */
export function perform<Id extends AdminOperationId>(
  operationId: Id,
  server: Server,
  { id = "", query = {}, body, text, ...caller }: CallArguments & Caller & { readonly text?: string | undefined },
): Promise<ResponseOf<Id>> {
  const operation: AdminOperation = adminOperations[operationId];
  const { environment } = caller;
  return asControlError(async () => {
    const { body: name, label } = operation;
    const isChecked = name !== undefined && label !== undefined && text === undefined;
    if (isChecked && !bodyModules) pendingLoad ??= loadBodyModules();
    if (pendingLoad) await pendingLoad;
    const checkedBody = isChecked ? bodyModules?.checkBody(name, body, label) : (text ?? body);
    const table: Partial<Handlers> = operationId in handlers ? handlers : { ...bodyModules?.editHandlers };
    const handle = table[operationId] as (call: HandledCall<Id>) => ResponseOf<Id> | Promise<ResponseOf<Id>>;
    const handleCall = () => handle({ ...caller, server, id, query, body: checkedBody } as HandledCall<Id>);
    const isOnEnvironment = operation.path.startsWith(environmentPath);
    const performOnce = async () => {
      const response = await (isOnEnvironment && operation.waits !== false
        ? environment.whenCaughtUp(handleCall)
        : handleCall());
      if (!operation.changes) return response;
      if (isOnEnvironment) {
        environment.countCommand();
        if (!operation.keepsUndo) environment.internals.undoSteps.length = 0;
      }
      await server.commit(isOnEnvironment ? environment : undefined);
      return response;
    };
    const { lease } = isOnEnvironment && operation.changes ? environment : {};
    return lease ? lease.withLease(performOnce, operation.waits === false) : performOnce();
  });
}
