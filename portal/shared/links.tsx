import { computed, useSignal } from "@preact/signals";
import { Button, IconButton } from "../components/button.tsx";
import { copyText } from "../components/copy.tsx";
import { Dialog } from "../components/dialog.tsx";
import { environmentId, route, to, type ViewName } from "../base/routes.ts";
import { call } from "../data/api.ts";
import { command } from "../data/commands.ts";
import { connection, now, speed } from "../data/state.ts";
import { canEdit, token } from "../base/token.ts";

type Access = "edit" | "view";

/** Whether there is a view-only link too: only with a token, and with the access to edit. */
const hasViewLink = computed(() => token.value !== "" && canEdit.value);

const subjects: Readonly<Record<Access, string>> = { edit: "Link", view: "View-only link" };

/**
 * Copies the link to a page of an environment. If the sandbox requires a token, the link has a token that is only for
 * this environment. If the link is to this page and the clock runs, the message offers the link to this instant too.
 */
export async function copyLink(environment: string, page: string, access: Access): Promise<void> {
  const instantLink = page === linkToView() && speed.value !== 0 ? linkToView(now.value) : undefined;
  const action = {
    label: "Copy link to this instant",
    run: () => void copyLink(environment, instantLink ?? page, access),
  };
  const link = hasViewLink.value ? createLink(environment, page, access) : linkWithToken(token.value, page);
  await command(() => copyText(link, subjects[access], instantLink ? action : undefined));
}

async function createLink(environment: string, page: string, access: Access): Promise<string> {
  const { view_link: viewLink, portal_link: portalLink } = await call("makeLinks", { environment });
  const link = (access === "view" ? viewLink : portalLink) ?? "";
  return linkWithToken(decodeURIComponent(/#token=([^&]+)/.exec(link)?.[1] ?? ""), page);
}

function linkWithToken(linkToken: string, page: string): string {
  const hash = linkToken === "" ? page : `#token=${encodeURIComponent(linkToken)}&${page.slice(1)}`;
  return location.origin + location.pathname + hash;
}

/** The address of the guides. */
export const guides = "https://github.com/offering-sandbox/offering-sandbox/blob/main/docs";

/** The hint that links to a loopback address open only on this computer. */
export function LoopbackHint() {
  if (!/^(?:localhost|127\..*|\[::1\])$/.test(location.hostname)) return null;
  return (
    <span class="small muted">
      Works only on this computer.{" "}
      <a href={`${guides}/sharing.md`} target="_blank" rel="noreferrer">
        Sharing guide
      </a>
    </span>
  );
}

interface LinkButtonsProps {
  readonly environment: string;
  /** The page in the environment, as `to` writes it. */
  readonly page: string;
  readonly onCopied?: () => void;
}

/** Buttons to copy the link to a page, and its view-only link if there is one. */
export function LinkButtons({ environment, page, onCopied }: LinkButtonsProps) {
  const copy = (access: Access): void => void copyLink(environment, page, access).then(onCopied);
  return (
    <>
      <Button icon="link" onClick={() => copy("edit")}>
        Copy link
      </Button>
      {hasViewLink.value && (
        <Button icon="eye" onClick={() => copy("view")}>
          Copy view-only link
        </Button>
      )}
    </>
  );
}

/**
 * Returns the link to this view, by default with the instant of a paused clock, to which a colleague may set the clock.
 * A running clock has left its instant before a colleague opens the link.
 */
function linkToView(at = speed.value === 0 ? now.value : undefined): string {
  const { environment, view, id, query } = route.value;
  const date = at === undefined ? null : new Date(at).toISOString();
  return to(view as ViewName, id, { ...Object.fromEntries(query), at: date }, environment);
}

/** The button in the header that copies the link. */
export function LinkButton() {
  const isOpen = useSignal(false);
  if (connection.value !== "live") return null;
  const instant = speed.value === 0 ? " at this instant" : "";
  const handleClick = (): void => {
    if (hasViewLink.value) isOpen.value = true;
    else void copyLink(environmentId.value, linkToView(), "edit");
  };
  return (
    <>
      <IconButton icon="link" kind="quiet" label={`Copy link to this view${instant}`} onClick={handleClick} />
      {isOpen.value && (
        <Dialog title="Copy link" onClose={() => (isOpen.value = false)}>
          <p>Gives access to this environment only{instant}, until the sandbox stops.</p>
          <div class="actions">
            <LinkButtons
              environment={environmentId.value}
              page={linkToView()}
              onCopied={() => (isOpen.value = false)}
            />
          </div>
          <LoopbackHint />
        </Dialog>
      )}
    </>
  );
}
