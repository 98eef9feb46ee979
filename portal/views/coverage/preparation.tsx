import { Button } from "../../parts/button.tsx";
import { call } from "../../server/api.ts";
import { command } from "../../server/commands.ts";
import { activeKeys, keyName } from "../../server/names.ts";
import { environment, journal } from "../../server/state.ts";
import { RevokeButton, setUsed } from "../keys/key-commands.tsx";

/** Where one click prepares a behaviour for the next request: the button. */
export function Preparation({ id }: { readonly id: string }) {
  // The client's own key: that of its last request.
  const ids = activeKeys().map((key) => key.id);
  const key = journal.value.findLast(({ key_id }) => key_id !== null && ids.includes(key_id))?.key_id ?? ids[0];
  const limit = environment.data?.rate_limit;
  const times = { "reactions.retried": 1, "reactions.backed-off": 2 }[id];
  if (times !== undefined) {
    const add = () => call("addFault", { body: { respond: { status: 503 }, times } });
    const run = () => void command(add, ({ words }) => `In force: ${words}.`);
    return (
      <Button changes class="small" onClick={run}>
        {`503, ${times} ×`}
      </Button>
    );
  }
  if (key && /revoked|stopped/.test(id)) return <RevokeButton id={key} />;
  if (!key || !limit || !/429|waited|came-back/.test(id)) return null;
  const fill = () => void setUsed(key, limit, `Each call with ${keyName(key)} is a 429 now.`);
  return (
    <Button changes class="small" onClick={fill}>
      429 now
    </Button>
  );
}
