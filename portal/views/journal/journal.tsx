import { Page } from "../../parts/panel.tsx";

export function Journal() {
  return <Page title="Journal" />;
}
