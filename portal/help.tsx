import { paletteKey } from "./palette/command-palette.tsx";
import { guides } from "./shared/links.tsx";
import { Dialog } from "./components/dialog.tsx";
import { Switch } from "./components/field.tsx";
import { areShortcutsOn } from "./base/preferences.ts";
import { canEdit } from "./base/token.ts";
import { shortcuts } from "./base/keys.ts";

const fixedKeys = [
  { key: paletteKey, label: "Search and commands" },
  { key: "Enter", label: "Open row" },
  { key: "Esc", label: "Back to list, or close" },
];

/** The help: the keys of the page, and the switch for single keys. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Help" onClose={onClose}>
      <p>
        A sandbox server for the Investment and Offering Reporting Service. Nothing here is real
        {canEdit.value
          ? ": commands change only this environment, and Reset, next to the clock, returns it to its initial state."
          : "."}{" "}
        <a href={`${guides}/portal.md`} target="_blank" rel="noreferrer">
          Portal guide
        </a>
      </p>
      <h3>Keyboard</h3>
      <dl class="facts">
        {[...fixedKeys, ...shortcuts.value.filter(({ key }) => key !== "")].map(({ key, label }) => (
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
