import { useSignal } from "@preact/signals";
import { Button, IconButton } from "../components/button.tsx";
import { copyText } from "../components/copy.tsx";
import { Dialog } from "../components/dialog.tsx";
import { environmentId, route, to, type ViewName } from "../base/routes.ts";
import { call } from "../data/api.ts";
import { command } from "../data/commands.ts";
import { connection, now, speed } from "../data/state.ts";
import { canEdit, token } from "../base/token.ts";

type Access = "edit" | "view";

const subjects: Readonly<Record<Access, string>> = { edit: "Link", view: "View-only link" };

/**
 * Copies the link to a page of an environment. If the sandbox requires a token, the link has one that is only for this
 * environment. If the link is to this page and the clock runs, the message also offers the link at this instant.
 */
export async function copyLink(environment: string, page: string, access: Access): Promise<void> {
  const here = page === openPage() && speed.value !== 0 ? openPage(now.value) : undefined;
  const action = { label: "Copy it at this instant", run: () => void copyLink(environment, here ?? page, access) };
  const link =
    token.value !== "" && canEdit.value ? createLink(environment, page, access) : linkWithToken(token.value, page);
  await command(() => copyText(link, subjects[access], here ? action : undefined));
}

async function createLink(environment: string, page: string, access: Access): Promise<string> {
  const { view_link: viewLink, portal_link: portalLink } = await call("makeLinks", { environment });
  const link = (access === "view" ? viewLink : portalLink) ?? "";
  return linkWithToken(decodeURIComponent(/#token=([^&]+)/.exec(link)?.[1] ?? ""), page);
}

function linkWithToken(own: string, page: string): string {
  const hash = own === "" ? page : `#token=${encodeURIComponent(own)}&${page.slice(1)}`;
  return location.origin + location.pathname + hash;
}

/** The address of the guides. */
export const guides = "https://github.com/offering-sandbox/offering-sandbox/blob/main/docs";

/** Says that links to a loopback address open nowhere else. */
export function LoopbackHint() {
  if (!/^(?:localhost|127\..*|\[::1\])$/.test(location.hostname)) return null;
  return (
    <span class="small muted">
      Works only on this computer.{" "}
      <a href={`${guides}/sharing.md`} target="_blank" rel="noreferrer">
        How to share it
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

/**
 * Buttons for the two links: one that allows changes, one that only shows. There is only one if no token is required,
 * or if this person's own token only shows.
 */
export function LinkButtons({ environment, page, onCopied }: LinkButtonsProps) {
  const copy = (access: Access): void => void copyLink(environment, page, access).then(onCopied);
  return (
    <>
      <Button icon="link" onClick={() => copy("edit")}>
        Copy link
      </Button>
      {token.value !== "" && (
        <Button needsEditAccess icon="eye" onClick={() => copy("view")}>
          Copy view-only link
        </Button>
      )}
    </>
  );
}

/**
 * Returns the link to this view at an instant, to which a colleague may set the clock. A running clock has left its
 * instant before anybody opens the link.
 */
function openPage(at = speed.value === 0 ? now.value : undefined): string {
  const { environment, view, id, query } = route.value;
  const date = at === undefined ? null : new Date(at).toISOString();
  return to(view as ViewName, id, { ...Object.fromEntries(query), at: date }, environment);
}

/** The button in the header that copies the link. */
export function LinkButton() {
  const isOpen = useSignal(false);
  if (connection.value !== "live") return null;
  const instant = speed.value === 0 ? " at this instant" : "";
  const hasTwo = token.value !== "" && canEdit.value;
  const press = (): void => {
    if (hasTwo) isOpen.value = true;
    else void copyLink(environmentId.value, openPage(), "edit");
  };
  return (
    <>
      <IconButton icon="link" kind="quiet" label={`Copy the link to this view${instant}`} onClick={press} />
      {isOpen.value && (
        <Dialog title="A link to this view" onClose={() => (isOpen.value = false)}>
          <p>Gives access to this environment only{instant}, until the sandbox stops.</p>
          <div class="actions">
            <LinkButtons environment={environmentId.value} page={openPage()} onCopied={() => (isOpen.value = false)} />
            <LoopbackHint />
          </div>
        </Dialog>
      )}
    </>
  );
}
