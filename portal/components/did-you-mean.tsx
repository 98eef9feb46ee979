import { nearest } from "../../src/text/text.ts";
import { to, type ViewName } from "../base/routes.ts";

interface NearProps {
  readonly name: string;
  readonly names: readonly string[];
  readonly view: ViewName;
}

/** `Did you mean closing?`: the item of a view with the nearest name, if one is near. */
export function DidYouMean({ name, names, view }: NearProps) {
  const nearestName = nearest(name, names);
  if (nearestName === undefined) return null;
  return (
    <>
      Did you mean <a href={to(view, nearestName)}>{nearestName}</a>?{" "}
    </>
  );
}
