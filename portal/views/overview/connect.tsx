import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { ExampleCall } from "../../../src/control.ts";
import { callService, type ServiceResponse } from "../../server/api.ts";
import { command, say } from "../../server/commands.ts";
import { count } from "../../format.ts";
import { activeKeys, keyName } from "../../server/names.ts";
import { Button } from "../../parts/button.tsx";
import { CodeBlock } from "../../parts/code.tsx";
import { Copy, copyText } from "../../parts/copy.tsx";
import { type Fact, Facts } from "../../parts/detail.tsx";
import { Select } from "../../parts/field.tsx";
import { Empty, Panel, Waiting } from "../../parts/panel.tsx";
import { ResponseView } from "../../parts/response.tsx";
import { useList } from "../../server/use-resource.ts";
import { to } from "../../routes.ts";
import { masked } from "../../server/service-call.ts";
import { useShortcuts } from "../../shortcuts.ts";
import { environment } from "../../server/state.ts";

/** The base address, and the keys of the first offering: enough for a client. */
export function Connect() {
  const { data, problem } = environment;
  // A key at its limit would be a bad start.
  const keys = activeKeys(activeKeys()[0]?.offering_id)
    .filter(({ effect }) => !effect.startsWith("every call"))
    .slice(0, 4);
  const address = `${location.origin}/api/v1`;
  return (
    <Panel
      title="Connect your client"
      actions={<a href={to("keys")}>{data ? count(data.keys.length, "key") : "Keys"}</a>}
    >
      <Facts
        facts={[
          [
            "Base address",
            <Copied text={address} subject="The base address">
              <code>{address}</code>
            </Copied>,
          ],
          ...keys.map(({ id, key, type, effect }): Fact => [
            type === "partner" ? "Partner key" : "Marketing key",
            <Copied text={key} subject={`The key ${keyName(id)}`}>
              <span>
                {keyName(id)}
                <small class="muted">{effect}</small>
              </span>
            </Copied>,
          ]),
        ]}
      />
      {!data && <Waiting problem={problem} />}
      {data && keys.length === 0 && (
        <p>
          No key is active. <a href={to("keys")}>Issue one</a>.
        </p>
      )}
    </Panel>
  );
}

interface CopiedProps {
  readonly text: string;
  readonly subject: string;
  readonly children: ComponentChildren;
}

function Copied({ text, subject, children }: CopiedProps) {
  return (
    <span class="copied">
      {children}
      <Copy text={text} subject={subject} />
    </span>
  );
}

/** Calls to paste into a terminal, or to make on this page. */
export function Examples() {
  const list = useList("listExamples");
  const choice = useSignal(0);
  const response = useSignal<(ServiceResponse & { readonly title: string }) | null>(null);
  const calls = list.data ?? [];
  const call = calls[choice.value] ?? calls[0];
  useShortcuts([{ key: "c", label: "Copy the call as curl", run: copy }]);

  function copy(): void {
    if (call) void copyText(call.curl, "The call as curl");
    else say("There is no call to copy.");
  }

  async function attempt({ path, key, title }: ExampleCall): Promise<void> {
    const answered = await command(() => callService(path, key));
    response.value = answered ? { ...answered, title } : null;
  }

  return (
    <Panel title="Try it" actions={<a href={to("api")}>The whole API</a>}>
      {!list.data && <Waiting problem={list.problem} />}
      {list.data && !call && (
        <Empty title="No call can be made.">
          <p>
            There is no offering, or no active key. <a href={to("keys")}>Issue a key</a>.
          </p>
        </Empty>
      )}
      {call && (
        <div class="stack">
          <div class="toolbar nowrap">
            <Select
              label="A call that answers with"
              value={String(choice.value)}
              onChange={(value) => (choice.value = Number(value))}
              options={calls.map(({ title, status }, index) => [String(index), `${status} · ${title}`])}
            />
            <Button kind="primary" onClick={() => void attempt(call)}>
              Send
            </Button>
          </div>
          <CodeBlock text={call.curl} label="The call as curl">
            {call.curl.replace(call.key, masked(call.key))}
          </CodeBlock>
          {response.value && <ResponseView {...response.value} />}
        </div>
      )}
    </Panel>
  );
}
