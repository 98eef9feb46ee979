import { spawn } from "node:child_process";
import { codeOf, messageOf } from "../../mistakes/mistakes.ts";

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Milliseconds to wait for a failure: a successful command may run as long as its browser. */
const patience = 2000;

/** Opens a link in the browser of this machine, without a shell. Returns undefined, or the reason why it cannot. */
export async function openBrowser(link: string): Promise<string | undefined> {
  const [command = "", ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, link], { stdio: "ignore", detached: true });
  return new Promise((resolve) => {
    const waiting = setTimeout(() => {
      child.unref();
      resolve(undefined);
    }, patience);
    const end = (failure: string | undefined): void => {
      clearTimeout(waiting);
      resolve(failure && `No browser was opened: ${failure}. Open the link yourself.`);
    };
    child.once("error", (error) => {
      end(codeOf(error) === "ENOENT" ? `this machine has no ${command}` : messageOf(error));
    });
    child.once("exit", (code) => end(code === 0 ? undefined : `${command} ended with ${code ?? "a signal"}`));
  });
}
