import { finderKey, openFinder } from "./finder/finder.tsx";
import { Button } from "./parts/button.tsx";
import { Dialog } from "./parts/dialog.tsx";
import { Switch } from "./parts/field.tsx";
import { areShortcutsOn } from "./preferences.ts";
import { mayChange } from "./server/token.ts";
import { shortcuts } from "./shortcuts.ts";

const natural = [
  { key: "Enter", label: "Open the row" },
  { key: "Esc", label: "Back to the list, or close" },
];

/** The help: the keys of the page, and the switch for single keys. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Help" onClose={onClose}>
      <p>
        A sandbox server for the Investment and Offering Reporting Service. Nothing here is real
        {mayChange.value ? ": what you do changes this environment, and Reset, beside the clock, undoes it." : "."}
      </p>
      <h3>Keyboard</h3>
      <dl class="keys">
        <div>
          <dt>
            <kbd>{finderKey}</kbd>
          </dt>
          <dd>
            <Button
              kind="quiet"
              class="inline"
              onClick={() => {
                onClose();
                openFinder();
              }}
            >
              Find anything
            </Button>
          </dd>
        </div>
        {[...shortcuts.value, ...natural].map(({ key, label }) => (
          <div key={key}>
            <dt>
              <kbd>{key === " " ? "Space" : key}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <Switch
        label="Single keys are shortcuts"
        checked={areShortcutsOn.value}
        onChange={(on) => (areShortcutsOn.value = on)}
      />
    </Dialog>
  );
}
