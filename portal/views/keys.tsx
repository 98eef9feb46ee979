import { Page } from "../parts/panel.tsx";

export function Keys() {
  return <Page title="Keys" />;
}
