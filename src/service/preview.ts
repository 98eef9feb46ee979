import type { PreviewedResponse } from "../public/control.ts";
import type { PreviewedCall } from "../control/preview.ts";
import { type EnvironmentView, keyStatus, type StateAtInstant } from "../environment/view.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { type Answer, documentAnswer, errorAnswer, headerFields, problemResponse } from "./answer.ts";
import { type Call, readCall, type ServiceOptions } from "./call.ts";
import { check } from "./checks.ts";
import { limitHeaders } from "./rate-limit.ts";
import { parseTarget, servicePaths, strayError } from "./target.ts";

/** A request to preview, never sent. */
interface UnsentRequest {
  /** Path and query from the origin. */
  readonly url: string;
  readonly method?: string;
  readonly authorization?: string | undefined;
  readonly reading: StateAtInstant;
}

/** Options of the service for unsent calls. */
interface PreviewOptions extends Pick<ServiceOptions, "assumptionHeader" | "onFailure"> {
  readonly secrets: Secrets;
}

/** Reads an unsent request. Only the keys of the environment are valid. */
export function unsentCall(
  environment: EnvironmentView,
  { url, method = "GET", authorization, reading }: UnsentRequest,
  { secrets, ...options }: PreviewOptions,
): Call {
  const service: ServiceOptions = {
    ...options,
    environments: {
      default: environment,
      secrets,
      findKey(secret) {
        const key = Array.from(reading.state.keys).find((candidate) => candidate.key === secret);
        return key && { key, status: keyStatus(key, reading.now), environment, reading };
      },
    },
    corsOrigins: new Set(),
    onRequest: undefined,
  };
  return readCall({ target: parseTarget(url), method, authorization, fromPortal: false }, service, reading);
}

/** Returns the answer to a call without faults, delay and limit. */
export function answerUnsent(call: Call): Answer {
  limitHeaders(call);
  try {
    check(call);
    return documentAnswer(call);
  } catch (error) {
    return errorAnswer(call, error);
  }
}

/** Returns the answer to a GET. */
export function preview(
  environment: EnvironmentView,
  { url, authorization, reading, retryAfter }: PreviewedCall,
  options: PreviewOptions,
): PreviewedResponse {
  if (!servicePaths.test(url.split("?", 1)[0] ?? "")) return problemResponse(strayError());
  const call = unsentCall(environment, { url, reading, authorization }, options);
  if (retryAfter !== undefined) call.retryIn = retryAfter * 1000;
  const answer = answerUnsent(call);
  const fields = headerFields(call, answer);
  const headers = Object.fromEntries(
    fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1] ?? ""]] : [])),
  );
  return { status: answer.status, headers, body: String(answer.body ?? "") };
}
