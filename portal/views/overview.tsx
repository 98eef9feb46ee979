import { Page } from "../parts/panel.tsx";

export function Overview() {
  return <Page title="Overview" />;
}
