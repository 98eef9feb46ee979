import type { FittingOrder } from "../responses/memory.ts";
import { isHonored, listMoved, pagingFault } from "./paging.ts";
import { decided, noResponse, open, unsupported, type Rows, type Verdict } from "./row.ts";
import { isRefusal, statusesOf } from "./seen.ts";

/** The rows about the order of items, and about filters by date. */
export const orderTable: Rows = {
  "list.order": {
    probes: ["ordered", "list", "list_again"],
    decide(_, seen) {
      if (listMoved(seen)) return open(pagingFault(seen) ?? "");
      const list = seen.all("ordered").findLast((shape) => shape.list)?.list;
      if (!list) return open(noResponse);
      const { orders, ordered, isDated, fitsAttribute } = list;
      if (ordered < 5) return open(`${ordered} investments are too few`);
      if (orders.length > 0) return orderOf(orders, `${ordered} of ${ordered} items`);
      if (!isDated) return open("dates that cannot be read");
      if (fitsAttribute) return unsupported("ordered by an attribute that is not a date", "unordered");
      const because = `${ordered} items, ordered by no date and no other attribute`;
      return decided("unordered", ordered < 12 ? "low" : "medium", because);
    },
  },
  "events.order": {
    probes: ["events"],
    decide(_, seen) {
      const votes = seen.all("events").flatMap(({ events }) => (events && events.count >= 2 ? events : []));
      if (votes.length === 0) return open("no investment has several events");
      // The orders that fit every investment, each with the chance that they all fit by accident.
      const common = (votes[0]?.orders ?? []).flatMap(({ by }) => {
        const chances = votes.flatMap(({ orders }) => orders.find((order) => order.by === by)?.chance ?? []);
        const chance = chances.reduce((product, one) => product * one, 1);
        return chances.length < votes.length ? [] : { by, chance };
      });
      if (common.length > 0) return orderOf(common, `${votes.length} of ${votes.length} investments' events`);
      if (!votes.every(({ isDated }) => isDated)) return open("dates that cannot be read");
      return decided("unordered", "high", `${votes.length} investments' events, in no common order`);
    },
  },
  "dates.date_only": {
    probes: ["events_until_day", "events", "events_until_day_before"],
    unansweredCount: "no event off midnight",
    decide(day, seen) {
      if (isRefusal(day)) return decided("reject", "high", `${day.status} for a date without a time`);
      const before = seen.one("events_until_day_before");
      if (!day.events || !before?.events) return open(noResponse);
      if (before.events.hasTarget) return unsupported("a date without a time filters nothing");
      if (day.events.hasTarget) return decided("whole-day", "high", "lte of a day includes its event");
      return decided("midnight", "high", "lte of a day excludes its event");
    },
  },
  "dates.repeated": {
    probes: ["repeated_late", "repeated_early", "list", "far_future"],
    decide(late, seen) {
      const early = seen.one("repeated_early");
      if (!early) return open(noResponse);
      if (seen.each("far_future").some(isRefusal)) return open("a single bound is refused");
      const statuses = statusesOf([late, early]);
      if (isRefusal(late) && isRefusal(early)) return decided("reject", "high", statuses);
      if (!late.list || !early.list) return unsupported(statuses);
      if (!seen.one("list")?.list?.count) return open("the list is empty");
      const [showsLate, showsEarly] = [late.list.count > 0, early.list.count > 0];
      if (!showsLate && !showsEarly) return unsupported("both of two bounds count", "last");
      if (showsLate && showsEarly)
        return isHonored(seen, "date")
          ? decided("ignore", "high", "neither of two bounds counts")
          : open("a single bound is not seen to filter");
      const which = showsLate ? "first" : "last";
      return decided(which, "high", `the ${which} of two bounds counts`);
    },
  },
};

/** Decides for the order that fits the items, unless it may well fit by accident. */
function orderOf(orders: readonly FittingOrder[], because: string): Verdict {
  const [likeliest, ...others] = orders.toSorted((left, right) => left.chance - right.chance);
  if (!likeliest) return open("no order fits");
  if (others.some(({ chance }) => chance < 1)) {
    // The conventional order is as good as any other that fits.
    const { by } = orders.find((order) => order.by === "create_date") ?? likeliest;
    return decided(by, "low", `${because} by ${orders.map((order) => order.by).join(", and by ")}`);
  }
  const { by, chance } = likeliest;
  if (chance > 1 / 20) return open(`${because} are too few`);
  return decided(by, chance < 1e-5 ? "high" : chance < 1e-3 ? "medium" : "low", `${because} by ${by}`);
}
