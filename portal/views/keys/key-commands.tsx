import type { KeyDescription } from "../../../src/control.ts";
import { del, put } from "../../api.ts";
import { command } from "../../commands.ts";
import { keyName } from "../../names.ts";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Copy } from "../../parts/copy.tsx";
import { asCurl, fromOrigin } from "../../service-call.ts";

/** Copies the secret, alone or in a call, without showing it; whole words where no heading says that it copies. */
export function Copies({ description, isWhole }: { readonly description: KeyDescription; readonly isWhole?: boolean }) {
  const { id, key, offering_id } = description;
  const name = keyName(id);
  const curl = asCurl({ method: "GET", path: fromOrigin(`/offerings/${offering_id}`), secret: key });
  return (
    <span class="actions nowrap">
      <Copy
        text={key}
        words={isWhole ? "Copy the key" : "Key"}
        kind={isWhole ? undefined : "quiet"}
        label={isWhole ? undefined : `Copy the key ${name}`}
        said={`The key ${name} is copied.`}
      />
      <Copy
        text={curl}
        words={isWhole ? "Copy as curl" : "curl"}
        kind={isWhole ? undefined : "quiet"}
        label={isWhole ? undefined : `Copy a call with ${name} as curl`}
        said="A call is copied as curl."
      />
    </span>
  );
}

export async function setUsed(id: string, used: number, said: string): Promise<void> {
  await command(() => put(`limits/${encodeURIComponent(id)}`, { used }), said);
}

/** Asks once: a key that is revoked stays so, but in the time before. */
export function RevokeButton({ id }: { readonly id: string }) {
  const name = keyName(id);
  return (
    <ConfirmButton
      question={`Revoke ${name}?`}
      words="Each call with it is a 401 from now on. It cannot be taken back, except by setting the clock to before this instant; you can issue another key."
      does="Revoke"
      onConfirm={() => void command(() => del(`keys/${encodeURIComponent(id)}`), `${name} is revoked.`)}
    >
      Revoke…
    </ConfirmButton>
  );
}
