import { Dialog } from "./parts/dialog.tsx";
import { Switch } from "./parts/field.tsx";
import { areShortcutsOn } from "./preferences.ts";
import { shortcuts } from "./shortcuts.ts";

const natural = [
  { key: "Enter", words: "Open the row" },
  { key: "Esc", words: "Back to the list, or close" },
];

/** The help: the keys of what is on screen, and the switch that turns them off. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Help" onClose={onClose}>
      <p>
        A sandbox server for the Investment and Offering Reporting Service. Nothing here is real: what you do changes
        this environment, and a reset undoes it.
      </p>
      <h3>Keyboard</h3>
      <dl class="keys">
        {[...shortcuts.value, ...natural].map(({ key, words }) => (
          <div key={key}>
            <dt>
              <kbd>{key === " " ? "Space" : key}</kbd>
            </dt>
            <dd>{words}</dd>
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
