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

type ShownResponse = PreviewedResponse | ServiceResponse;

/** Buttons that copy the request, resend it, or preview its response. */
export function RequestActions(entry: JournalEntry) {
  const { method, path, key_id } = entry;
  const latest = useSignal<(ShownResponse & { readonly title: string }) | null>(null);
  const isBusy = useSignal(false);
  const secret = keyOf(key_id)?.key ?? null;
  const isComplete = !path.includes("…");
  const below = belowBase(path);
  const isResolved = hasDots(path);
  const canFetch = isComplete && !isResolved;
  /** The limits of the copies and the buttons. */
  const limits = [
    !isComplete && incompletePath,
    isResolved && "A browser resolves the dots in the path before it sends the request; only curl sends it unchanged.",
    isComplete && key_id === null && "The journal does not store unknown keys: the copies send no key.",
    method !== "GET" && isComplete && "Only a GET can be previewed.",
  ].filter(Boolean);

  async function show(title: string, run: () => Promise<ShownResponse>): Promise<void> {
    isBusy.value = true;
    const response = await command(run);
    isBusy.value = false;
    if (response) latest.value = { ...response, title };
  }

  const request = { method, path, secret };
  const copyCurl = (): void => {
    if (isComplete) void copyText(formatCurl(request), "Request as curl");
    else showMessage(incompletePath, { isError: true });
  };
  useShortcuts([{ key: "c", label: "Copy request as curl", run: copyCurl }]);

  return (
    <div class="stack">
      <div class="actions">
        <Button class="small" icon="copy" aria-label="Copy as curl" disabled={!isComplete} onClick={copyCurl}>
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
          title="Sends the request once more: it counts against the key's limit and is in the journal"
          onClick={() => void show("Response to the resent request", () => callService(below ?? "", secret, method))}
        >
          Resend
        </Button>
        <Button
          class="small"
          disabled={!isComplete || isBusy.value || method !== "GET"}
          title="Shows what the request would read now, without counting it or recording it in the journal"
          onClick={() => void show("Preview of the response", () => call("preview", { body: { path, key_id } }))}
        >
          Preview
        </Button>
        {isFailure(entry) && (
          <Button
            class="small"
            aria-label="Download snapshot"
            title="Download the environment with its journal in one file, for a colleague, a test or the command replay"
            onClick={() => void command(() => saveSnapshot(environmentId.value, String(entry.id)), "Snapshot saved.")}
          >
            Snapshot
          </Button>
        )}
      </div>
      {limits.length > 0 && <p class="small muted">{limits.join(" ")}</p>}
      {latest.value && <ResponseView {...latest.value} />}
    </div>
  );
}

const incompletePath =
  "The path is incomplete: … stands for what could be a secret, so the request cannot be copied or resent.";
