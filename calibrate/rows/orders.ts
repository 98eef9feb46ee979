import type { FittingOrder } from "../memory.ts";
import { type CalibratedRows, decided, isRefusal, notAnswered, open, outside, shown, statusesOf } from "../verdict.ts";
import { isHonoured, isRestless, pagingFault } from "./lists.ts";

/** Orders, and filters by date. */
export const orderRows = {
  "list.order": {
    probes: ["list", "list_again", "ordered"],
    decide(seen) {
      if (isRestless(seen)) return open(pagingFault(seen) ?? "");
      const last = seen.all("ordered").findLast(({ list }) => list)?.list;
      if (!last) return notAnswered;
      const { orders, ordered } = last;
      if (ordered < 5) return open(`${ordered} investments are too few`);
      if (orders.length === 0 && !last.isDated) return open("dates that cannot be read");
      if (orders.length === 0 && last.fitsAttribute)
        return outside("ordered by an attribute that is no date", "unordered");
      if (orders.length === 0)
        return decided(
          "unordered",
          ordered < 12 ? "low" : "medium",
          `${ordered} items, ordered by no date and no other attribute`,
        );
      return orderOf("list.order", orders, `${ordered} of ${ordered} items`);
    },
  },
  "events.order": {
    probes: ["events"],
    decide(seen) {
      const votes = seen.all("events").flatMap(({ events }) => (events && events.count >= 2 ? events : []));
      if (votes.length === 0) return open("no investment has several events");
      const [{ orders: first }] = votes as [(typeof votes)[0]];
      // An order that all agree on, and the chance that all are in it by accident.
      const common = first.flatMap(({ by }) => {
        const chances = votes.flatMap(({ orders }) => orders.find((order) => order.by === by)?.chance ?? []);
        return chances.length < votes.length
          ? []
          : { by, chance: chances.reduce((product, chance) => product * chance, 1) };
      });
      const because = `${votes.length} of ${votes.length} investments' events`;
      if (common.length === 0 && !votes.every(({ isDated }) => isDated)) return open("dates that cannot be read");
      if (common.length === 0)
        return decided("unordered", "high", `${votes.length} investments' events, in no common order`);
      return orderOf("events.order", common, because);
    },
  },
  "dates.date_only": {
    probes: ["events", "events_until_day", "events_until_day_before"],
    decide(seen) {
      const [day, before] = [seen.one("events_until_day"), seen.one("events_until_day_before")];
      if (!day) return open("no event off midnight");
      if (isRefusal(day)) return decided("reject", "high", `${day.status} for a date without a time`);
      if (!day.events || !before?.events) return notAnswered;
      if (before.events.hasTarget) return outside("a date without a time filters nothing", "whole-day");
      if (day.events.hasTarget) return decided("whole-day", "high", "lte of a day includes its event");
      return decided("midnight", "high", "lte of a day excludes its event");
    },
  },
  "dates.repeated": {
    probes: ["list", "far_future", "repeated_late", "repeated_early"],
    decide(seen) {
      const [late, early] = [seen.one("repeated_late"), seen.one("repeated_early")];
      if (!late || !early) return notAnswered;
      const alone = seen.one("far_future");
      if (alone && isRefusal(alone)) return open("one bound alone is refused");
      if (isRefusal(late) && isRefusal(early)) return decided("reject", "high", statusesOf([late, early]));
      if (!late.list || !early.list) return outside(statusesOf([late, early]), "reject");
      if (!seen.one("list")?.list?.count) return open("the list is empty");
      const [shows, showsEarly] = [late.list.count > 0, early.list.count > 0];
      if (shows && showsEarly && !isHonoured(seen, "date")) return open("one bound alone is not seen to filter");
      if (shows && showsEarly)
        return shown("dates.repeated", "ignore", "high", "neither of two bounds counts", "first");
      if (!shows && !showsEarly) return outside("both of two bounds count", "last");
      return shows
        ? decided("first", "high", "the first of two bounds counts")
        : decided("last", "high", "the last of two bounds counts");
    },
  },
} as const satisfies Partial<CalibratedRows>;

/** Decides for the order that items are in, as far as they are not in it by accident. */
function orderOf(
  id: "list.order" | "events.order",
  orders: readonly FittingOrder[],
  because: string,
): ReturnType<typeof shown<typeof id>> {
  const [likeliest] = orders.toSorted((one, other) => one.chance - other.chance);
  if (!likeliest) return open("no order fits");
  // Of several that fit, the convention is as good as any.
  const isUnsure = orders.some((order) => order !== likeliest && order.chance < 1);
  const best = (isUnsure && orders.find((order) => order.by === "create_date")) || likeliest;
  const { by, chance } = best;
  if (isUnsure)
    return shown(id, by, "low", `${because} by ${orders.map((order) => order.by).join(", and by ")}`, "unordered");
  if (chance > 1 / 20) return open(`${because} are too few`);
  return shown(id, by, chance < 1e-5 ? "high" : chance < 1e-3 ? "medium" : "low", `${because} by ${by}`, "unordered");
}
