import { assume } from "../../assumptions/assume.ts";
import { isMembers } from "../../model/members.ts";
import type { FittingOrder } from "../memory.ts";
import type { Types } from "../types.ts";
import {
  type CalibratedRows,
  decided,
  isRefusal,
  notAnswered,
  open,
  outside,
  shown,
  statusesOf,
  type Verdict,
} from "../verdict.ts";
import { defaultSize, firstPage, firstProbes, largestKnown, largestSize, overMax } from "./lists.ts";

const conventional = assume("conventional");

/** Documents, lists and their filters. */
export const documentRows = {
  "offering.document": {
    probes: ["offering"],
    decide(seen) {
      const { types } = seen.one("offering") ?? {};
      if (!types) return notAnswered;
      const document = namesOf(types);
      const known = isResource(types) && namesOf(at(types, "data", "attributes")).length > 0;
      if (known && document.join() === "data") return decided("resource", "high", "data of type, id, attributes");
      const counts = namesOf(at(types, "meta")).join();
      if (known && document.join() === "data,meta" && counts === "closed,investments,pending")
        return decided("resource-with-counts", "high", "data, and meta with counts");
      return outside(`{${document.join(",")}}`, "resource");
    },
  },
  "status.document": {
    probes: ["status"],
    decide(seen) {
      const { types } = seen.one("status") ?? {};
      if (!types) return notAnswered;
      const attributes = namesOf(at(types, "data", "attributes")).join();
      const whole = namesOf(types).join();
      if (whole === "data" && attributes === "create_date,status,step")
        return decided("resource", "high", `data with ${attributes}`);
      if (whole === "data" && attributes === "status,step")
        return decided("resource-without-date", "high", `data with ${attributes}`);
      if (whole === "status,step") return decided("flat", "high", "status and step alone");
      return outside(`{${whole}}`, "resource");
    },
  },
  "list.document": {
    probes: ["list"],
    decide(seen) {
      const { list, types } = seen.one("list") ?? {};
      if (!list || !types) return notAnswered;
      if (list.form === "data") return decided("data", "high", "data alone");
      const names = `{${namesOf(types).join(",")}}, meta: {${namesOf(at(types, "meta")).join(",")}}`;
      return list.form === undefined
        ? outside(names, "resources")
        : shown("list.document", list.form, "high", names, "resources");
    },
  },
  "list.included": {
    probes: ["list"],
    decide(seen) {
      const { types, list } = seen.one("list") ?? {};
      if (!types || !list) return notAnswered;
      if (namesOf(types).includes("included")) return decided("yes", "high", "included is there");
      return decided("no", list.count > 0 ? "high" : "low", `${list.count} items without included`);
    },
  },
  "list.first_page": {
    probes: firstProbes,
    decide(seen) {
      const first = firstPage(seen);
      if (first) return decided(first.page === 0 ? "0" : "1", "high", first.because);
      return open(
        seen.one("first_item")?.list?.count === 0
          ? "the list is empty"
          : "neither page 0 nor page 1 is surely the first",
      );
    },
  },
  "list.default_size": {
    probes: ["list", "second_page"],
    decide(seen) {
      const found = defaultSize(seen);
      if (!found) return notAnswered;
      const { size, isWhole, named } = found;
      if (isWhole && !named) return atLeast("list.default_size", size);
      if (size > largestKnown) return outside(`${size} a page`, largestKnown);
      if (named) return decided(size, "medium", `meta says ${size}; all fit on one page`);
      const mode = overMax(seen);
      const largest = mode === "clamp" ? seen.one("over_max")?.list?.count : largestSize(seen).taken;
      // A service may have a larger size for pages without one than it gives to those who ask for it.
      if (mode === "alike" || largest === size)
        return decided(size, "medium", `${size} on a page, which is the largest size too`);
      return decided(size, "high", `${size} on the first of several pages`);
    },
  },
  "list.over_max": {
    probes: ["list", "second_page", "over_max", "sizes"],
    decide(seen) {
      const mode = overMax(seen);
      const shape = seen.one("over_max");
      if (!shape || mode === undefined) return notAnswered;
      if (mode === "reject") return decided("reject", "high", `${shape.status} for a size of a million`);
      if (mode === "clamp") return decided("clamp", "high", "a larger page than without a size");
      if (mode === "ignore") return shown("list.over_max", "ignore", "high", "a page as without a size", "clamp");
      const reason = defaultSize(seen)?.isWhole
        ? "all fit on one page"
        : "a page without a size is of the largest size";
      return decided("clamp", "low", `${reason}, so clamp and ignore look alike`);
    },
  },
  "list.max_size": {
    probes: ["list", "second_page", "first_item", "over_max", "over_max_next", "sizes"],
    decide(seen) {
      const mode = overMax(seen);
      const shape = seen.one("over_max");
      if (!shape || mode === undefined) return notAnswered;
      const normal = defaultSize(seen);
      if (mode === "clamp") {
        const { count = 0, namedSize = Infinity } = shape.list ?? {};
        const isFull = (seen.one("over_max_next")?.list?.count ?? 0) > 0;
        if (isFull && count > largestKnown) return outside(`${count} on a page`, largestKnown);
        if (isFull) return decided(count, "high", `${count} on a page of a million, and more behind it`);
        if (namedSize <= largestKnown && namedSize >= count)
          return decided(namedSize, "medium", `meta says ${namedSize} for a size of a million`);
        return atLeast("list.max_size", count);
      }
      if (mode === "alike" && normal?.isWhole !== false) return atLeast("list.max_size", shape.list?.count ?? 0);
      if (mode === "alike" && normal) {
        return seen.all("sizes").length > 0
          ? decided(normal.size, "high", `one more than ${normal.size} shows ${normal.size}`)
          : notAnswered;
      }
      const { taken, refused } = largestSize(seen);
      const verb = mode === "reject" ? "refused" : "ignored";
      if (taken > largestKnown) return outside(`${taken} is taken`, largestKnown);
      if (taken >= 1 && refused === taken + 1)
        return decided(taken, "high", `${taken} is taken, ${refused} is ${verb}`);
      return open(`between ${taken} and ${refused}`);
    },
  },
  "list.past_end": {
    probes: ["past_end", "bad_size"],
    decide(seen) {
      const shape = seen.one("past_end");
      if (!shape) return notAnswered;
      const { status, list } = shape;
      if (list?.count === 0) return decided("empty", "high", "200 with an empty list");
      if (status === 404) return decided("404", "high", "404");
      // As other invalid parameters are.
      if (status === 400 || (isRefusal(shape) && status === seen.one("bad_size")?.status)) {
        return decided("400", "high", String(status));
      }
      return outside(list ? "200 with items" : String(status), "empty");
    },
  },
  "list.order": {
    probes: ["ordered"],
    decide(seen) {
      const last = seen.all("ordered").findLast(({ list }) => list)?.list;
      if (!last) return notAnswered;
      const { orders, ordered } = last;
      if (ordered < 5) return open(`${ordered} investments are too few`);
      if (orders.length === 0) return decided("unordered", "high", `${ordered} items, ordered by no date`);
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
    probes: ["list", "repeated_late", "repeated_early"],
    decide(seen) {
      const [late, early] = [seen.one("repeated_late"), seen.one("repeated_early")];
      if (!late || !early) return notAnswered;
      if (isRefusal(late) && isRefusal(early)) return decided("reject", "high", statusesOf([late, early]));
      if (!late.list || !early.list) return outside(statusesOf([late, early]), "reject");
      if (!seen.one("list")?.list?.count) return open("the list is empty");
      const [shows, showsEarly] = [late.list.count > 0, early.list.count > 0];
      if (shows && showsEarly)
        return shown("dates.repeated", "ignore", "high", "neither of two bounds counts", "first");
      if (!shows && !showsEarly) return outside("both of two bounds count", "last");
      return shows
        ? decided("first", "high", "the first of two bounds counts")
        : decided("last", "high", "the last of two bounds counts");
    },
  },
} as const satisfies Partial<CalibratedRows>;

/** Decides for the least size that a page can have which holds all items, if the convention is smaller. */
function atLeast(id: "list.default_size" | "list.max_size", count: number): Verdict<number> {
  const reason = `at least ${count}: all fit on one page`;
  return count > conventional[id] && count <= largestKnown ? decided(count, "low", reason) : open(reason);
}

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

/** The names of an object, in order; none for anything else. */
function namesOf(types: Types | undefined): string[] {
  return isMembers(types) ? Object.keys(types).toSorted() : [];
}

function at(types: Types | undefined, ...path: string[]): Types | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return types;
  return isMembers(types) ? at(types[name], ...rest) : undefined;
}

function isResource(types: Types): boolean {
  return ["type", "id"].every((name) => at(types, "data", name) === "string");
}
