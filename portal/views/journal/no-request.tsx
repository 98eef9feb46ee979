import { activeKeys } from "../../server/names.ts";
import { CodeBlock } from "../../parts/code.tsx";
import { Empty } from "../../parts/panel.tsx";
import { masked } from "../../server/service-call.ts";
import { to } from "../../routes.ts";
import { curlOfOffering } from "../keys/key-commands.tsx";

/** An empty journal, with a call to begin with. */
export function NoRequest() {
  const [key] = activeKeys();
  const call = key ? curlOfOffering(key) : "";
  return (
    <Empty title="No request yet.">
      {key ? (
        <>
          <p>Point your client at this address, or paste this into a terminal. It shows here at once.</p>
          <CodeBlock text={call} label="A first call as curl">
            {call.replace(key.key, masked(key.key))}
          </CodeBlock>
        </>
      ) : (
        <p>
          No key is active. <a href={to("keys")}>Issue one</a>, and give it to your client.
        </p>
      )}
    </Empty>
  );
}
