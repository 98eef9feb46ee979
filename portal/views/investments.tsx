import { route } from "../routes.ts";
import { Investment } from "./investment/investment.tsx";
import { InvestmentList } from "./investment/list.tsx";

export function Investments() {
  const { id } = route.value;
  return id === null ? <InvestmentList /> : <Investment key={id} id={id} />;
}
