import { Page } from "../parts/panel.tsx";

export function ServiceApi() {
  return <Page title="API" />;
}
