import type { PreviewedResponse } from "../public/control.ts";
import type { PreviewedCall } from "../control/preview.ts";
import { type EnvironmentView, keyStatus } from "../environment/view.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { type ServiceResponse, documentResponse, errorResponse, headerFields, problemResponse } from "./response.ts";
import { type Call, readCall, type ServiceOptions } from "./call.ts";
import { check } from "./checks.ts";
import { limitHeaders } from "./rate-limit.ts";
import { parseTarget, servicePaths, strayError } from "./target.ts";

interface PreviewOptions extends Pick<ServiceOptions, "assumptionHeader" | "onFailure"> {
  readonly secrets: Secrets;
}

/** Creates the response to an unsent request, without faults, delay and limit. Only keys of the environment count. */
export function respondUnsent(
  environment: EnvironmentView,
  {
    url,
    method = "GET",
    authorization,
    stateAtInstant,
    retryAfterSeconds,
  }: PreviewedCall & { readonly method?: string },
  { secrets, ...options }: PreviewOptions,
): { readonly call: Call; readonly response: ServiceResponse } {
  const service: ServiceOptions = {
    ...options,
    environments: {
      default: environment,
      secrets,
      findKey(secret) {
        const key = Array.from(stateAtInstant.state.keys).find((candidate) => candidate.key === secret);
        return key && { key, status: keyStatus(key, stateAtInstant.now), environment, stateAtInstant };
      },
    },
    corsOrigins: new Set(),
    onRequest: undefined,
  };
  const call = readCall(
    { target: parseTarget(url), method, authorization, isFromPortal: false },
    service,
    stateAtInstant,
  );
  if (retryAfterSeconds !== undefined) call.retryInMs = retryAfterSeconds * 1000;
  limitHeaders(call);
  try {
    check(call);
    return { call, response: documentResponse(call) };
  } catch (error) {
    return { call, response: errorResponse(call, error) };
  }
}

/** Returns the response to a GET without sending it. */
export function preview(
  environment: EnvironmentView,
  request: PreviewedCall,
  options: PreviewOptions,
): PreviewedResponse {
  if (!servicePaths.test(request.url.split("?", 1)[0] ?? "")) return problemResponse(strayError());
  const { call, response } = respondUnsent(environment, request, options);
  const fields = headerFields(call, response);
  const headers = Object.fromEntries(
    fields.flatMap((name, index) => (index % 2 === 0 ? [[name, fields[index + 1] ?? ""]] : [])),
  );
  return { status: response.status, headers, body: String(response.body ?? "") };
}
