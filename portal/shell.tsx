import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { nearest } from "../src/text/text.ts";
import { listEnvironments } from "./data/api.ts";
import { focusHeading, focusOn, offerFocus } from "./base/focus.ts";
import { DroppedFiles } from "./dropped-files.tsx";
import { CommandPalette, CommandPaletteButton } from "./palette/command-palette.tsx";
import { Help } from "./help.tsx";
import { formatCount } from "./base/format.ts";
import { noTrigger, useResource } from "./data/use-resource.ts";
import { LinkButton } from "./shared/links.tsx";
import { NoEnvironment, Notices, TokenForm } from "./notices.tsx";
import { Boundary } from "./components/boundary.tsx";
import { Button, IconButton } from "./components/button.tsx";
import { Page } from "./components/panel.tsx";
import { restoreRowPosition } from "./components/table.tsx";
import { isPresenting, playSpeed, theme, themes } from "./base/preferences.ts";
import { environmentId, go, route, to, type ViewName, views } from "./base/routes.ts";
import { useShortcuts } from "./base/keys.ts";
import { connection, errorCount } from "./data/state.ts";
import { TimeBar } from "./clock/time-bar.tsx";
// The bundle has the views in this order. Sorted by name it would be 700 bytes larger: gzip looks back only 32 KB.
import { Scenarios } from "./views/scenarios/scenarios.tsx";
import { Investments } from "./views/investment/investments.tsx";
import { Overview } from "./views/overview/overview.tsx";
import { ServiceApi } from "./views/api/service-api.tsx";
import { Assumptions } from "./views/assumptions/assumptions.tsx";
import { Keys } from "./views/keys/keys.tsx";
import { Coverage } from "./views/coverage/coverage.tsx";
import { Journal } from "./views/journal/journal.tsx";
import { Environments } from "./views/environments/environments.tsx";
import { activeFaults } from "./shared/faults.ts";
import { Faults } from "./views/faults/faults.tsx";
import { FaultBand } from "./views/faults/switches.tsx";

const components: Readonly<Record<ViewName, ComponentType>> = {
  overview: Overview,
  investments: Investments,
  scenarios: Scenarios,
  keys: Keys,
  faults: Faults,
  journal: Journal,
  coverage: Coverage,
  assumptions: Assumptions,
  environments: Environments,
  api: ServiceApi,
};

/** The frame around every view. */
export function Shell() {
  const isHelpOpen = useSignal(false);
  useShortcuts([
    { key: "?", label: "Help", run: () => (isHelpOpen.value = true) },
    { key: "p", label: "Present page; p or Esc ends it", run: togglePresentation },
  ]);

  return (
    <>
      <a class="skip" href="#main" onClick={skipToContent}>
        Skip to content
      </a>
      <header class="shell">
        <div class="bar">
          <a class="brand" href={to("overview")}>
            <Logo />
            offering-sandbox
          </a>
          {connection.value !== "locked" && <EnvironmentChooser />}
          <div class="actions">
            <LinkButton />
            {connection.value !== "locked" && <CommandPaletteButton />}
            <PresentButton />
            <ThemeButton />
            <IconButton icon="help" kind="quiet" label="Help (?)" onClick={() => (isHelpOpen.value = true)} />
          </div>
        </div>
        <Navigation />
      </header>
      {connection.value === "locked" ? (
        <TokenForm />
      ) : (
        <>
          <Content />
          <CommandPalette />
          <DroppedFiles />
        </>
      )}
      {isHelpOpen.value && <Help onClose={() => (isHelpOpen.value = false)} />}
    </>
  );
}

/** Moves the focus into the content without changing the address, which names the view. */
function skipToContent(event: Event): void {
  event.preventDefault();
  focusOn(document.querySelector<HTMLElement>("main h1"));
}

/** The logo: a past change, now, and a future change. */
function Logo() {
  return (
    <svg class="mark" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M2 10h16" />
      <circle cx="3" cy="10" r="1.5" />
      <circle cx="10" cy="10" r="3" class="now" />
      <circle cx="17" cy="10" r="1.5" class="hollow" />
    </svg>
  );
}

function Navigation() {
  const { view } = route.value;
  const bar = useRef<HTMLElement>(null);
  // On a narrow screen the bar scrolls. scrollIntoView would make Tab continue from there.
  useEffect(() => {
    const tab = bar.current?.querySelector<HTMLElement>("[aria-current]");
    if (tab) bar.current?.scrollTo(tab.offsetLeft - (bar.current.clientWidth - tab.offsetWidth) / 2, 0);
  }, [view]);
  return (
    <nav aria-label="Views" ref={bar}>
      {Object.entries(isPresenting.value ? presentedViews : views).map(([name, label]) => (
        <a key={name} href={to(name as ViewName)} aria-current={name === view ? "page" : undefined}>
          {label}
          {name === "journal" && <Count number={errorCount.value} noun="error" />}
          {name === "faults" && <Count number={activeFaults().length} noun="fault" />}
        </a>
      ))}
    </nav>
  );
}

function Count({ number, noun }: { readonly number: number; readonly noun: string }) {
  if (number === 0) return null;
  return (
    <>
      {" "}
      <span class="count" title={formatCount(number, noun)}>
        {number < 100 ? number : "99+"}
        <span class="unseen"> {noun}s</span>
      </span>
    </>
  );
}

function EnvironmentChooser() {
  // No revision covers other environments, so they are loaded when the person is about to choose one.
  const { data: listed = [], refresh } = useResource(listEnvironments, [], { trigger: noTrigger });
  const id = environmentId.value;
  const { view } = route.value;
  const sameView = view in views ? (view as ViewName) : "overview";
  const options = listed.some((item) => item.id === id) ? listed : [{ id, label: null }, ...listed];
  return (
    <label class="chooser">
      <span class="unseen">Environment</span>
      <select
        value={id}
        onPointerEnter={refresh}
        onFocus={refresh}
        onChange={(event) => go(to(sameView, null, {}, event.currentTarget.value))}
      >
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.label ?? option.id}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The views in a presentation. */
const { overview, investments, scenarios } = views;
const presentedViews = { overview, investments, scenarios };

function PresentButton() {
  const { view } = route.value;
  useEffect(() => {
    if (!(view in presentedViews)) isPresenting.value = false;
  }, [view]);
  if (isPresenting.value)
    return (
      <Button kind="quiet" icon="present" title="End presentation" onClick={togglePresentation}>
        End (Esc)
      </Button>
    );
  return <IconButton icon="present" kind="quiet" label="Present page (p)" onClick={togglePresentation} />;
}

/** Starts or ends a presentation, which plays one change a second: an audience can follow that speed. */
function togglePresentation(): void {
  isPresenting.value = !isPresenting.peek();
  if (!isPresenting.peek()) return;
  playSpeed.value = "changes";
  if (!(route.peek().view in presentedViews)) go(to("overview"));
}

function ThemeButton() {
  const { next, label } = themes[theme.value];
  return <IconButton icon={theme.value} kind="quiet" label={label} onClick={() => (theme.value = next)} />;
}

function Content() {
  const { environment, view, id } = route.value;
  const isFirst = useRef(true);

  // Focused before the next paint: later, the focus could be taken from where the person already types.
  useLayoutEffect(() => {
    if (!isFirst.current) moveFocus();
    isFirst.current = false;
  }, [environment, view, id]);

  if (connection.value === "missing") {
    return (
      <main id="main">
        <NoEnvironment />
      </main>
    );
  }
  const View = view in views ? components[view as ViewName] : NoView;
  return (
    <>
      <Boundary key={`time ${environment}`}>
        <TimeBar />
      </Boundary>
      <main id="main">
        <Notices />
        <Boundary key={`faults ${environment}`}>
          <FaultBand />
        </Boundary>
        <Boundary key={`${environment} ${view}`} item={id}>
          <View />
        </Boundary>
      </main>
    </>
  );
}

/** Moves the focus after a change of the address: to the detail next to a list, or to the top of the view. */
function moveFocus(): void {
  const opened = document.querySelector<HTMLElement>("main [data-opened]");
  offerFocus(opened);
  restoreRowPosition();
  // A list itself returns the focus to the last open row.
  if (opened || document.activeElement?.matches("main [data-row]")) return;
  scrollTo(0, 0);
  focusHeading();
}

function NoView() {
  const { view } = route.value;
  const nearestView = nearest(view, Object.keys(views)) as ViewName | undefined;
  return (
    <Page title="View not found" lead={`No view has the name “${view}”.`}>
      <p>
        {nearestView && (
          <>
            Did you mean <a href={to(nearestView, route.value.id)}>{views[nearestView]}</a>?{" "}
          </>
        )}
        <a href={to("overview")}>Open Overview</a>
      </p>
    </Page>
  );
}
