import type { FittingOrder } from "../responses/registry.ts";
import { isHonored, hasListMoved, pagingFault } from "./paging.ts";
import { decided, noResponse, undetermined, unsupported, type Rows, type Verdict } from "./row.ts";
import { isRefusal, formatStatuses } from "./observations.ts";

/** The rows about the order of items, and about filters by date. */
export const orderTable: Rows = {
  "list.order": {
    probes: ["ordered", "list", "list_again"],
    decide(_, observations) {
      if (hasListMoved(observations)) return undetermined(pagingFault(observations) ?? "");
      const list = observations.all("ordered").findLast((shape) => shape.list)?.list;
      if (!list) return undetermined(noResponse);
      const { orders, orderedCount, isDated, hasAttributeOrder } = list;
      if (orderedCount < 5) return undetermined(`${orderedCount} investments are too few`);
      if (orders.length > 0) return decideOrder(orders, `${orderedCount} of ${orderedCount} items`);
      if (!isDated) return undetermined("dates that cannot be read");
      if (hasAttributeOrder) return unsupported("ordered by an attribute that is not a date", "unordered");
      const reason = `${orderedCount} items, ordered by no date and no other attribute`;
      return decided("unordered", orderedCount < 12 ? "low" : "medium", reason);
    },
  },
  "events.order": {
    probes: ["events"],
    decide(_, observations) {
      const histories = observations.all("events").flatMap(({ events }) => (events && events.count >= 2 ? events : []));
      if (histories.length === 0) return undetermined("no investment has several events");
      // The orders that fit every investment, each with the probability that all fit by accident.
      const commonOrders = (histories[0]?.orders ?? []).flatMap(({ by }) => {
        const probabilities = histories.flatMap(
          ({ orders }) => orders.find((order) => order.by === by)?.probability ?? [],
        );
        const probability = probabilities.reduce((product, factor) => product * factor, 1);
        return probabilities.length < histories.length ? [] : { by, probability };
      });
      if (commonOrders.length > 0)
        return decideOrder(commonOrders, `${histories.length} of ${histories.length} investments' events`);
      if (!histories.every(({ isDated }) => isDated)) return undetermined("dates that cannot be read");
      return decided("unordered", "high", `${histories.length} investments' events, in no common order`);
    },
  },
  "dates.date_only": {
    probes: ["events_until_day", "events", "events_until_day_before"],
    noResponseReason: "no event at a time other than midnight",
    decide(dayShape, observations) {
      if (isRefusal(dayShape)) return decided("reject", "high", `${dayShape.status} for a date without a time`);
      const dayBeforeShape = observations.first("events_until_day_before");
      if (!dayShape.events || !dayBeforeShape?.events) return undetermined(noResponse);
      if (dayBeforeShape.events.hasTarget) return unsupported("a date without a time filters nothing");
      if (dayShape.events.hasTarget) return decided("whole-day", "high", "lte of a day includes its event");
      return decided("midnight", "high", "lte of a day excludes its event");
    },
  },
  "dates.repeated": {
    probes: ["repeated_late", "repeated_early", "list", "far_future"],
    decide(lateShape, observations) {
      const earlyShape = observations.first("repeated_early");
      if (!earlyShape) return undetermined(noResponse);
      if (observations.firstOfEach("far_future").some(isRefusal)) return undetermined("a single bound is refused");
      const statuses = formatStatuses([lateShape, earlyShape]);
      if (isRefusal(lateShape) && isRefusal(earlyShape)) return decided("reject", "high", statuses);
      if (!lateShape.list || !earlyShape.list) return unsupported(statuses);
      if (!observations.first("list")?.list?.count) return undetermined("the list is empty");
      const [hasLateItems, hasEarlyItems] = [lateShape.list.count > 0, earlyShape.list.count > 0];
      if (!hasLateItems && !hasEarlyItems) return unsupported("both bounds filter", "last");
      if (hasLateItems && hasEarlyItems)
        return isHonored(observations, "date")
          ? decided("ignore", "high", "neither of two bounds filters")
          : undetermined("it is not known whether a single bound filters");
      const effectiveBound = hasLateItems ? "first" : "last";
      return decided(effectiveBound, "high", `the ${effectiveBound} of two bounds filters`);
    },
  },
};

/** Decides for the order that fits the items, unless it probably fits by accident. */
function decideOrder(orders: readonly FittingOrder[], reason: string): Verdict {
  const [likeliest, ...otherOrders] = orders.toSorted((left, right) => left.probability - right.probability);
  if (!likeliest) return undetermined("no order fits");
  if (otherOrders.some(({ probability }) => probability < 1)) {
    // If several orders fit, the conventional order is preferred.
    const { by } = orders.find((order) => order.by === "create_date") ?? likeliest;
    return decided(by, "low", `${reason} by ${orders.map((order) => order.by).join(", and by ")}`);
  }
  const { by, probability } = likeliest;
  if (probability > 1 / 20) return undetermined(`${reason} are too few`);
  return decided(by, probability < 1e-5 ? "high" : probability < 1e-3 ? "medium" : "low", `${reason} by ${by}`);
}
