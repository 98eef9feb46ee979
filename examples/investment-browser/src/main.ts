import { parseAddress, formatAddress } from "./address.ts";
import { announce, byId, waitVisibly } from "./notices.ts";
import { sandboxConnections } from "./sandbox.ts";
import { fileOf } from "./service/investment-file.ts";
import { everything, type ListQuery } from "./service/list-query.ts";
import { Refusal, Unreachable } from "./service/refusal.ts";
import { Service, type Connection } from "./service/service.ts";
import { watchStanding } from "./service/standing.ts";
import { connectView } from "./view/connect.ts";
import { connectionsView } from "./view/connections.ts";
import type { Markup } from "./view/html.ts";
import { investmentView } from "./view/investment.ts";
import { listView } from "./view/list.ts";
import { problemOf, problemView } from "./view/problem.ts";
import { standingNews } from "./view/standing.ts";

const [trail, title, content] = [byId("trail"), byId("title"), byId("content")];
let connection: Connection | undefined;
let service: Service | undefined;
/** Abort what is under way: for this connection, and for the current view. */
let connected = new AbortController();
let shown = new AbortController();

function connect(to: Connection | undefined): void {
  connected.abort();
  connected = new AbortController();
  const { signal } = connected;
  connection = to ?? connection;
  service = to && new Service(to, (seconds) => waitVisibly(seconds, signal));
  byId("connections").innerHTML = connectionsView(sandboxConnections, to).text;
}

/** Shows the view in the page's address. */
async function show(): Promise<void> {
  shown.abort();
  shown = new AbortController();
  const { signal } = shown;
  announce("");
  const { investmentId, query } = parseAddress(location.hash);
  trail.hidden = investmentId === undefined || !service;
  trail.querySelector("a")?.setAttribute("href", formatAddress({ query }));
  if (!service) return render("Connect", connectView(connection ?? {}));
  content.ariaBusy = "true";
  try {
    await (investmentId === undefined
      ? showList(service, query, signal)
      : showInvestment(service, investmentId, signal));
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Refusal || error instanceof Unreachable)) reportError(error);
    const problem = problemOf(error);
    render(problem.title, problemView(problem));
  }
}

async function showList(from: Service, query: ListQuery, signal: AbortSignal): Promise<void> {
  const [offering, list] = await Promise.all([from.offering(signal), from.investments(query, signal)]);
  render(offering.data.attributes.name, listView(list, query));
}

async function showInvestment(from: Service, id: string, signal: AbortSignal): Promise<void> {
  const read = async () => {
    const [document, events] = await Promise.all([from.investment(id, signal), from.events(id, signal)]);
    return { ...document.data.attributes, view: investmentView(fileOf(document), events) };
  };
  const first = await read();
  render(`Investment ${first.investment_number}`, first.view);
  for await (const standing of watchStanding(from, id, first, { signal })) {
    const { view } = await read();
    refresh(view);
    announce(standingNews(first.investment_number, standing));
  }
}

/** Shows another view, and focuses its heading, where reading continues. */
function render(heading: string, view: Markup): void {
  title.textContent = heading;
  document.title = `${heading} – Investment browser`;
  refresh(view);
  title.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Refreshes the same view while a person may be reading it. */
function refresh(view: Markup): void {
  content.innerHTML = view.text;
  content.ariaBusy = "false";
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target as HTMLFormElement;
  const entered = Object.fromEntries(new FormData(form)) as Record<string, string>;
  if (form.id === "filters") {
    location.hash = formatAddress({ query: { ...everything, ...entered } });
    return;
  }
  const { baseUrl = "", offeringId = "", key = "" } = entered;
  connect({ baseUrl: baseUrl.replace(/\/$/, ""), offeringId: offeringId.trim(), key: key.trim() });
  void show();
});

document.addEventListener("click", (event) => {
  const button = (event.target as Element).closest("button");
  const { do: action, connection: name } = button?.dataset ?? {};
  if (name !== undefined) connect(sandboxConnections.find((known) => known.name === name));
  else if (action === "connect") connect(undefined);
  else if (action !== "retry") return;
  void show();
});

addEventListener("hashchange", () => void show());
connect(sandboxConnections[0]);
void show();
