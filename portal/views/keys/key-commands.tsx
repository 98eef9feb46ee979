import type { KeyDescription } from "../../../src/control.ts";
import { call } from "../../server/api.ts";
import { command } from "../../server/commands.ts";
import { keyName } from "../../server/names.ts";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Copy } from "../../parts/copy.tsx";
import { asCurl, fromOrigin } from "../../server/service-call.ts";

/**
 * Buttons that copy the secret, alone or in a call, without showing it; with longer labels if no heading says "Copy".
 */
export function Copies({ description, isWhole }: { readonly description: KeyDescription; readonly isWhole?: boolean }) {
  const { id, key } = description;
  const name = keyName(id);
  return (
    <span class="actions nowrap">
      <Copy
        text={key}
        label={isWhole ? "Copy the key" : "Key"}
        kind={isWhole ? undefined : "quiet"}
        subject={`The key ${name}`}
      />
      <Copy
        text={curlOfOffering(description)}
        label={isWhole ? "Copy as curl" : "curl"}
        kind={isWhole ? undefined : "quiet"}
        subject={`A call with ${name} as curl`}
      />
    </span>
  );
}

/** A first call with a key. */
export function curlOfOffering({ key, offering_id }: KeyDescription): string {
  return asCurl({ method: "GET", path: fromOrigin(`/offerings/${offering_id}`), secret: key });
}

export async function setUsed(id: string, used: number, message: string): Promise<void> {
  await command(() => call("setLimit", { id, body: { used } }), message);
}

/** The button to revoke a key. It asks first: a revoked key stays revoked unless the clock goes back. */
export function RevokeButton({ id }: { readonly id: string }) {
  const name = keyName(id);
  return (
    <ConfirmButton
      question={`Revoke ${name}?`}
      consequence="Each call with it is a 401 from now on. It cannot be undone, except by setting the clock to before this instant; you can issue another key."
      confirmLabel="Revoke"
      onConfirm={() => void command(() => call("revokeKey", { id }), `${name} is revoked.`)}
    >
      Revoke…
    </ConfirmButton>
  );
}
