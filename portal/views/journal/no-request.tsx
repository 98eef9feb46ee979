import { CodeBlock } from "../../parts/code.tsx";
import { Empty } from "../../parts/panel.tsx";
import { asCurl, fromOrigin, masked } from "../../service-call.ts";
import { to } from "../../routes.ts";
import { environment } from "../../state.ts";

/** An empty journal, with a call to begin with. */
export function NoRequest() {
  const key = environment.data?.keys.find(({ status }) => status === "active");
  const path = fromOrigin(`/offerings/${key?.offering_id}`);
  const call = (secret: string): string => asCurl({ method: "GET", path, secret });
  return (
    <Empty title="No request yet.">
      {key ? (
        <>
          <p>Point your client at this address, or paste this into a terminal. It shows here at once.</p>
          <CodeBlock text={call(key.key)} label="A first call as curl">
            {call(masked(key.key))}
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
