import { assume } from "../../src/assumptions/assume.ts";
import { isMembers } from "../../src/model/members.ts";
import type { Types } from "../types.ts";
import {
  type CalibratedRows,
  decided,
  isRefusal,
  notAnswered,
  open,
  outside,
  shown,
  type Verdict,
} from "../verdict.ts";
import {
  defaultSize,
  firstPage,
  firstProbes,
  isRestless,
  largestKnown,
  largestSize,
  overMax,
  oneShowsSeveral,
  pageIsRepeated,
  pagingFault,
} from "./lists.ts";

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
      if (attributes === "") return outside(`{${whole}} without attributes`, "resource");
      const [names, known] = [namesOf(at(types, "data", "attributes")), ["create_date", "status", "step"]];
      const others = names.filter((name) => !known.includes(name));
      const missing = known.filter((name) => !names.includes(name));
      const beside = namesOf(types).filter((name) => name !== "data");
      const differing = [
        others.length > 0 && `attributes with ${others.join(", ")}`,
        missing.length > 0 && `attributes without ${missing.join(", ")}`,
        beside.length > 0 && `${beside.join(", ")} beside data`,
      ];
      return outside(differing.filter((part) => part !== false).join("; "), "resource");
    },
  },
  "list.document": {
    probes: ["list", "second_page"],
    decide(seen) {
      const { list, types } = seen.one("list") ?? {};
      if (!list || !types) return notAnswered;
      const names = `{${namesOf(types).join(",")}}, meta: {${namesOf(at(types, "meta")).join(",")}}`;
      const next = seen.one("second_page")?.list;
      if (list.form === undefined || (next && next.form !== list.form))
        return outside(next?.form === list.form ? names : `${names}, and another form on the next page`, "resources");
      // A list of one page may leave out its links and counts.
      const confidence = next?.count ? "high" : "medium";
      if (list.form === "data") return decided("data", confidence, "data alone");
      return shown("list.document", list.form, confidence, names, "resources");
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
      const fault = pagingFault(seen);
      if (fault !== undefined) return open(fault);
      return open(
        seen.one("first_item")?.list?.count === 0
          ? "the list is empty"
          : "neither page 0 nor page 1 is surely the first",
      );
    },
  },
  "list.default_size": {
    probes: ["list", "second_page", "list_again"],
    decide(seen) {
      const found = defaultSize(seen);
      if (!found) return notAnswered;
      if (isRestless(seen) || pageIsRepeated(seen)) return open(pagingFault(seen) ?? "");
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
    probes: ["list", "second_page", "list_again", "over_max", "sizes"],
    decide(seen) {
      const mode = overMax(seen);
      const shape = seen.one("over_max");
      if (!shape || mode === undefined) return notAnswered;
      if (mode === "reject") return decided("reject", "high", `${shape.status} for a size of a million`);
      const fault = pagingFault(seen);
      if (fault !== undefined) return open(fault);
      if (mode === "clamp") return decided("clamp", "high", "a larger page than without a size");
      if (mode === "ignore") return shown("list.over_max", "ignore", "high", "a page as without a size", "clamp");
      const reason = defaultSize(seen)?.isWhole
        ? "all fit on one page"
        : "a page without a size is of the largest size";
      return decided("clamp", "low", `${reason}, so clamp and ignore look alike`);
    },
  },
  "list.max_size": {
    probes: ["list", "second_page", "list_again", "first_item", "over_max", "over_max_next", "over_max_again", "sizes"],
    decide(seen) {
      const mode = overMax(seen);
      const shape = seen.one("over_max");
      if (!shape || mode === undefined) return notAnswered;
      const fault = pagingFault(seen);
      if (fault !== undefined && (mode !== "reject" || oneShowsSeveral(seen))) return open(fault);
      const normal = defaultSize(seen);
      if (mode === "clamp") {
        const { count = 0, namedSize = Infinity } = shape.list ?? {};
        const isFull = (seen.one("over_max_next")?.list?.count ?? 0) > 0;
        // The page is surely full after the next one had items; before, the list may have been shorter.
        const full = isFull ? (seen.one("over_max_again")?.list?.count ?? count) : 0;
        if (full > largestKnown) return outside(`${full} on a page`, largestKnown);
        if (isFull) return decided(full, "high", `${full} on a page of a million, and more behind it`);
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
    probes: ["after_last", "past_end", "bad_size"],
    decide(seen) {
      // Where the list has grown meanwhile, the page after the last has items.
      const near = seen.all("after_last").find(({ list }) => !list?.count);
      const far = seen.one("past_end");
      // Far behind the last page is more than the end: a service may refuse so large a number.
      const shape = near ?? far;
      if (!shape) return notAnswered;
      const { status, list } = shape;
      const where = near ? "the page after the last" : "page 900000 alone";
      const sure = near ? "high" : "medium";
      if (list?.count === 0) return decided("empty", sure, `200 with an empty list for ${where}`);
      if (status === 404) return decided("404", sure, `404 for ${where}`);
      // As other invalid parameters are.
      if (status === 400 || (isRefusal(shape) && status === seen.one("bad_size")?.status)) {
        return decided("400", near ? "high" : "low", `${status} for ${where}`);
      }
      return outside(list ? "200 with items" : String(status), "empty");
    },
  },
} as const satisfies Partial<CalibratedRows>;

/** Decides for the least size that a page can have which holds all items, if the convention is smaller. */
function atLeast(id: "list.default_size" | "list.max_size", count: number): Verdict<number> {
  const reason = `at least ${count}: all fit on one page`;
  return count > conventional[id] && count <= largestKnown ? decided(count, "low", reason) : open(reason);
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
