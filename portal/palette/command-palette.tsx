import { signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { formatCount } from "../base/format.ts";
import { go } from "../base/routes.ts";
import { commandKey, commandOf } from "../base/keys.ts";
import { call } from "../data/api.ts";
import { findKeyId } from "../data/names.ts";
import { useList, useResource } from "../data/use-resource.ts";
import { type Result, groupsOnPage, investmentGroup, recordUse } from "./results.ts";

/** The command palette: one field for every command, and for everything that has a name, a number or an id. */

const isOpen = signal(false);

export const paletteKey = `${commandKey}K`;

function openPalette(): void {
  isOpen.value = true;
}

/** The button that opens the palette, like its key. */
export function CommandPaletteButton() {
  const label = `Search ${paletteKey}`;
  return (
    <Button class="find" icon="search" aria-label={label} title={label} aria-haspopup="dialog" onClick={openPalette}>
      <span>Search</span> <kbd>{paletteKey}</kbd>
    </Button>
  );
}

export function CommandPalette() {
  useLayoutEffect(() => {
    const handleShortcut = (event: KeyboardEvent): void => {
      if (commandOf(event) !== paletteKey) return;
      event.preventDefault();
      if (!document.querySelector("dialog[open]")) openPalette();
    };
    addEventListener("keydown", handleShortcut);
    return () => {
      removeEventListener("keydown", handleShortcut);
      isOpen.value = false;
    };
  }, []);
  return isOpen.value ? <PaletteDialog onClose={() => (isOpen.value = false)} /> : null;
}

const placeholder = "Number, id, alias, name, email, path, key";

function PaletteDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useSignal("");
  /** The name of the option chosen with the arrows; null for the first one. */
  const selectedName = useSignal<string | null>(null);
  /** Whether Enter was pressed before the investments arrived. */
  const isEnterPending = useSignal(false);
  const list = useRef<HTMLDivElement>(null);

  const typed = text.value.trim();
  const isSecret = findKeyId(typed) === null;
  // Few digits are searched as a number, though many ids begin with them.
  const search = isSecret ? "" : typed.replace(/^\d{1,6}$/, "#$&");
  const scenarios = useList("listScenarios");
  const investments = useResource(
    async (abortSignal) =>
      search === ""
        ? undefined
        : { search, page: await call("listInvestments", { query: { search, limit: 5 }, signal: abortSignal }) },
    [search],
    { debounceMs: 150 },
  );
  const { data: found, problem } = investments;
  const isPending = search !== "" && found?.search !== search && !problem;
  const isNumber = search.startsWith("#");
  // Investments arrive late, and are added below the rest so that the selection does not move. Only the options for a
  // number wait for its investment, which is first.
  const allGroups = isSecret || (isNumber && isPending) ? [] : groupsOnPage(typed, scenarios.data ?? []);
  if (found?.search === search)
    allGroups.splice(isNumber ? 0 : allGroups.length, 0, investmentGroup(found.page, search));
  const groups = allGroups.filter(({ items }) => items.length > 0);
  const options = groups.flatMap(({ items }) => items);
  // With nothing typed, Enter does nothing until an option is chosen.
  const foundIndex = options.findIndex((option) => nameOf(option) === selectedName.value);
  const selectedIndex = typed === "" ? foundIndex : Math.max(0, foundIndex);

  useEffect(
    () => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }),
    [selectedIndex, typed],
  );
  useEffect(() => {
    if (isEnterPending.value && !isPending) choose(options[0]);
  }, [isEnterPending.value, isPending]);

  function choose(option: Result | undefined): void {
    isEnterPending.value = false;
    if (!option) return;
    recordUse(option);
    onClose();
    // After the dialog has closed: a command may open a question, which then takes the focus.
    const { target } = option;
    if (typeof target === "string") go(target);
    else requestAnimationFrame(target);
  }
  function handleKey(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next =
      by !== undefined && options.at(selectedIndex < 0 && by < 0 ? by : (selectedIndex + by) % options.length);
    if (by !== undefined) selectedName.value = next ? nameOf(next) : null;
    else if (event.key !== "Enter") return;
    else if (isPending && options.length === 0) isEnterPending.value = true;
    else choose(options[selectedIndex]);
    event.preventDefault();
  }

  return (
    <Dialog title="Search or run a command" onClose={onClose}>
      <input
        role="combobox"
        aria-label={placeholder}
        placeholder={placeholder}
        aria-expanded="true"
        aria-controls="results"
        aria-activedescendant={options[selectedIndex] ? `result-${selectedIndex}` : undefined}
        autocomplete="off"
        spellcheck={false}
        value={text.value}
        onInput={({ currentTarget: field }) => {
          // The secret of a key is neither shown nor sent: the id of the key replaces it.
          field.value = text.value = findKeyId(field.value) ?? field.value;
          [selectedName.value, isEnterPending.value] = [null, false];
        }}
        onKeyDown={handleKey}
      />
      <div id="results" class="results" role="listbox" aria-label="Results" ref={list}>
        {groups.map(({ title, items }) => (
          <div key={title} role="group" aria-label={title}>
            <h3 aria-hidden="true">{title}</h3>
            {items.map((item) => (
              <button
                type="button"
                tabIndex={-1}
                key={nameOf(item)}
                id={`result-${options.indexOf(item)}`}
                role="option"
                aria-selected={item === options[selectedIndex]}
                onClick={() => choose(item)}
              >
                {item.name} <small class="muted">{item.detail}</small>
              </button>
            ))}
          </div>
        ))}
      </div>
      <p class={options.length > 0 && !isPending ? "unseen" : "small muted"} role="status">
        {isSecret
          ? "This is not a key of this environment. It was not sent."
          : isPending
            ? "Searching investments …"
            : (problem?.message ??
              (options.length > 0 ? formatCount(options.length, "result") : `No match for “${typed}”.`))}
      </p>
    </Dialog>
  );
}

/** Returns a name that is unique among the options. */
function nameOf({ target, name }: Result): string {
  return typeof target === "string" ? target : name;
}
