import { close, message } from "../server/commands.ts";
import { Button, IconButton } from "./button.tsx";

/** The last message, in a line of its own: it covers nothing. */
export function MessageLine() {
  const said = message.value;
  return (
    <output class="messages" aria-live="polite">
      {said && (
        <div key={said.id} class={said.isError ? "message bad" : "message"}>
          <span>{said.text}</span>
          {said.action && (
            <Button
              kind="quiet"
              onClick={() => {
                close(said.id);
                said.action?.run();
              }}
            >
              {said.action.label}
            </Button>
          )}
          <IconButton icon="close" kind="quiet" label="Close the message" onClick={() => close(said.id)} />
        </div>
      )}
    </output>
  );
}
