import { useSignal } from "@preact/signals";
import type { JournalEntry, PreviewedResponse } from "../../../src/public/control.ts";
import { hasDots } from "../../../src/text/curl.ts";
import { call, callService, type ServiceResponse } from "../../data/api.ts";
import { saveSnapshot } from "../../data/snapshot.ts";
import { command, showMessage } from "../../data/commands.ts";
import { keyOf } from "../../data/names.ts";
import { Button } from "../../components/button.tsx";
import { copyText } from "../../components/copy.tsx";
import { ResponseView } from "../../components/code.tsx";
import { environmentId } from "../../base/routes.ts";
import { formatCurl, formatFetch, belowBase } from "../../data/service-call.ts";
import { useShortcuts } from "../../base/keys.ts";
import { isFailure } from "../../shared/request-filter.ts";

interface ShownResponse {
  readonly isReal: boolean;
  readonly response: PreviewedResponse | ServiceResponse;
}

/** Buttons that copy the call, repeat it, or preview its response. */
export function RequestActions(entry: JournalEntry) {
  const { method, path, key_id } = entry;
  const serviceResponse = useSignal<ShownResponse | null>(null);
  const isBusy = useSignal(false);
  const secret = keyOf(key_id)?.key ?? null;
  const isWhole = !path.includes("…");
  const below = belowBase(path);
  const isResolved = hasDots(path);
  const canFetch = isWhole && !isResolved;
  /** The limits of the copies and the buttons. */
  const limits = [
    !isWhole && notWhole,
    isResolved && "A browser resolves the dots in the path before it sends it: only curl makes the same call.",
    isWhole && key_id === null && "The journal keeps no unknown key: the copies send none.",
    method !== "GET" && isWhole && "Only a GET can be looked at.",
  ].filter(Boolean);

  async function show(isReal: boolean, run: () => Promise<ShownResponse["response"]>): Promise<void> {
    isBusy.value = true;
    const response = await command(run);
    isBusy.value = false;
    if (response) serviceResponse.value = { isReal, response };
  }

  const request = { method, path, secret };
  const copyCurl = (): void => {
    if (isWhole) void copyText(formatCurl(request), "Request as curl");
    else showMessage(notWhole, { isError: true });
  };
  useShortcuts([{ key: "c", label: "Copy request as curl", run: copyCurl }]);

  return (
    <div class="stack">
      <div class="actions">
        <Button class="small" icon="copy" aria-label="Copy as curl" disabled={!isWhole} onClick={copyCurl}>
          curl
        </Button>
        <Button
          class="small"
          icon="copy"
          aria-label="Copy as fetch"
          disabled={!canFetch}
          onClick={() => void copyText(formatFetch(request), "Request as fetch")}
        >
          fetch
        </Button>
        <Button
          needsEditAccess
          class="small"
          disabled={!canFetch || below === null || isBusy.value}
          title="Makes the call again: it counts against the key's limit and is in the journal"
          onClick={() => void show(true, () => callService(below ?? "", secret, method))}
        >
          Try again
        </Button>
        <Button
          class="small"
          disabled={!isWhole || isBusy.value || method !== "GET"}
          title="Shows what the call would read now, without counting it or recording it in the journal"
          onClick={() => void show(false, () => call("preview", { body: { path, key_id } }))}
        >
          Look
        </Button>
        {isFailure(entry) && (
          <Button
            class="small"
            aria-label="Download the snapshot"
            title="Download the environment with its journal in one file, for a colleague, a test or the command replay"
            onClick={() =>
              void command(() => saveSnapshot(environmentId.value, String(entry.id)), "The snapshot is saved.")
            }
          >
            Snapshot
          </Button>
        )}
      </div>
      {limits.length > 0 && <p class="small muted">{limits.join(" ")}</p>}
      {serviceResponse.value && (
        <ResponseView
          title={serviceResponse.value.isReal ? "The call, made again" : "What the same call reads now"}
          {...serviceResponse.value.response}
        />
      )}
    </div>
  );
}

const notWhole =
  "The path is not whole: what could be a secret is omitted as …, so the call cannot be copied or made from here.";
