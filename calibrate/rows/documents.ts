import { namesIn, typesAt } from "../responses/types.ts";
import {
  defaultSize,
  firstPage,
  firstItemProbes,
  listMoved,
  largestKnown,
  maxSize,
  overMax,
  sizeOneReturnsMore,
  pageIsRepeated,
  pagingFault,
} from "./paging.ts";
import { byHand, conventional, decided, noResponse, open, unsupported, type Rows, type Verdict } from "./row.ts";
import { isRefusal } from "./seen.ts";

/** Documents and pages of lists. */
export const documentTable: Rows = {
  "offering.document": {
    probes: ["offering"],
    decide({ types }) {
      const members = namesIn(types).join();
      const attributes = namesIn(types, "data", "attributes");
      const isResource =
        attributes.length > 0 && ["id", "type"].every((name) => typesAt(types, "data", name) === "string");
      if (isResource && members === "data") return decided("resource", "high", "data of type, id, attributes");
      const counts = namesIn(types, "meta").join();
      if (isResource && members === "data,meta" && counts === "closed,investments,pending")
        return decided("resource-with-counts", "high", "data, and meta with counts");
      return unsupported(`{${members}}`);
    },
  },
  "status.document": {
    probes: ["status"],
    decide({ types }) {
      if (types === undefined) return open(noResponse);
      const members = namesIn(types);
      const attributes = namesIn(types, "data", "attributes");
      const document = `${members.join()}: ${attributes.join()}`;
      const words = attributes.length > 0 ? typesAt(types, "data", "attributes") : types;
      if (typesAt(words, "status") !== "string") return unsupported(`{${document}}, without a status that is text`);
      if (document === "data: create_date,status,step")
        return decided("resource", "high", `data with ${attributes.join()}`);
      if (document === "data: status,step")
        return decided("resource-without-date", "high", `data with ${attributes.join()}`);
      if (document === "status,step: ") return decided("flat", "high", "only status and step");
      if (attributes.length === 0) return unsupported(`{${members.join()}} without attributes`);
      const expected = ["create_date", "status", "step"];
      const others = attributes.filter((name) => !expected.includes(name)).join(", ");
      const missing = expected.filter((name) => !attributes.includes(name)).join(", ");
      const beside = members.filter((name) => name !== "data").join(", ");
      const differences = [
        others && `attributes with ${others}`,
        missing && `attributes without ${missing}`,
        beside && `${beside} next to data`,
      ];
      return unsupported(differences.filter(Boolean).join("; "));
    },
  },
  "list.document": {
    probes: ["list", "second_page"],
    decide({ list, types, status }, seen) {
      if (types === undefined) return open(noResponse);
      const names = `{${namesIn(types).join(",")}}, meta: {${namesIn(types, "meta").join(",")}}`;
      if (!list) return status === 200 ? unsupported(`${names}, not a list of investments in data`) : open(`${status}`);
      const next = seen.one("second_page")?.list;
      if (next && next.form !== list.form) return unsupported(`${names}, and another form on the next page`);
      if (list.form === undefined) return unsupported(`${names}, ${byHand}`);
      // A list of one page may omit its links and counts.
      return decided(list.form, next?.count ? "high" : "medium", list.form === "data" ? "only data" : names);
    },
  },
  "list.included": {
    probes: ["list"],
    decide({ types, list }) {
      if (!list) return open(noResponse);
      if (namesIn(types).includes("included")) return decided("yes", "high", "included is there");
      return decided("no", list.count > 0 ? "high" : "low", `${list.count} items without included`);
    },
  },
  "list.first_page": {
    probes: firstItemProbes,
    decide({ list }, seen) {
      const first = listMoved(seen) ? undefined : firstPage(seen);
      if (first) return decided(String(first.page), "high", first.because);
      const reason = list?.count === 0 ? "the list is empty" : "neither page 0 nor page 1 is surely the first";
      return open(pagingFault(seen) ?? reason);
    },
  },
  "list.default_size": {
    probes: ["list", "second_page", "list_again"],
    decide(_, seen) {
      const usual = defaultSize(seen);
      if (!usual) return open(noResponse);
      if (listMoved(seen) || pageIsRepeated(seen)) return open(pagingFault(seen) ?? "");
      const { size, isWhole, isNamed } = usual;
      if (isWhole && !isNamed) return atLeast("list.default_size", size);
      if (size > largestKnown) return unsupported(`${size} a page`, largestKnown);
      if (isNamed) return decided(size, "medium", `meta says ${size}; all fit on one page`);
      const treatment = overMax(seen);
      const largest = treatment === "clamp" ? seen.one("over_max")?.list?.count : maxSize(seen).accepted;
      // The default size of a service may exceed the largest size that it accepts in a request.
      if (treatment === "alike" || largest === size)
        return decided(size, "medium", `${size} on a page, which is the largest size too`);
      return decided(size, "high", `${size} on the first of several pages`);
    },
  },
  "list.over_max": {
    probes: ["over_max", "list", "second_page", "list_again", "sizes"],
    decide({ status }, seen) {
      const treatment = overMax(seen);
      if (treatment === undefined) return open(noResponse);
      if (treatment === "reject") return decided("reject", "high", `${status} for a size of a million`);
      const fault = pagingFault(seen);
      if (fault !== undefined) return open(fault);
      if (treatment === "clamp") return decided("clamp", "high", "a larger page than without a size");
      if (treatment === "ignore") return decided("ignore", "high", "a page as without a size");
      const reason = defaultSize(seen)?.isWhole
        ? "all fit on one page"
        : "a page without a size is of the largest size";
      return decided("clamp", "low", `${reason}, so clamp and ignore look alike`);
    },
  },
  "list.max_size": {
    probes: ["over_max", "list", "second_page", "list_again", "first_item", "over_max_next", "list_again", "sizes"],
    decide({ list }, seen) {
      const treatment = overMax(seen);
      const usual = defaultSize(seen);
      if (treatment === undefined || !usual) return open(noResponse);
      const fault = pagingFault(seen);
      if (fault !== undefined && (treatment !== "reject" || sizeOneReturnsMore(seen))) return open(fault);
      const { count = 0, namedSize = Infinity } = list ?? {};
      if (treatment === "clamp") {
        const hasMore = (seen.one("over_max_next")?.list?.count ?? 0) > 0;
        if (hasMore && count > largestKnown) return unsupported(`${count} on a page`, largestKnown);
        if (hasMore) return decided(count, "high", `${count} on a page of a million, and more behind it`);
        if (namedSize <= largestKnown && namedSize >= count)
          return decided(namedSize, "medium", `meta says ${namedSize} for a size of a million`);
        return atLeast("list.max_size", count);
      }
      if (treatment === "alike") {
        if (usual.isWhole) return atLeast("list.max_size", count);
        if (seen.all("sizes").length === 0) return open(noResponse);
        return decided(usual.size, "high", `one more than ${usual.size} shows ${usual.size}`);
      }
      const { accepted, refused } = maxSize(seen);
      if (accepted > largestKnown) return unsupported(`${accepted} is taken`, largestKnown);
      if (accepted < 1 || refused !== accepted + 1) return open(`between ${accepted} and ${refused}`);
      const verb = treatment === "reject" ? "refused" : "ignored";
      return decided(accepted, "high", `${accepted} is taken, ${refused} is ${verb}`);
    },
  },
  "list.past_end": {
    probes: ["past_end", "after_last", "bad_size", "list"],
    decide(far, seen) {
      if (!seen.each("list").every(({ list }) => list)) return open(noResponse);
      // If the list has grown meanwhile, the page after the last has items.
      const near = seen.all("after_last").find(({ list }) => !list?.count);
      // A page far after the last shows less than the next one: a service may refuse so large a number.
      const shape = near ?? far;
      const { status, list } = shape;
      const where = near ? "the page after the last" : "only page 900000";
      const confidence = near ? "high" : "medium";
      if (list?.count === 0) return decided("empty", confidence, `200 with an empty list for ${where}`);
      if (status === 404) return decided("404", confidence, `404 for ${where}`);
      // The status of other invalid parameters means the same as a 400.
      if (status === 400 || (isRefusal(shape) && status === seen.one("bad_size")?.status))
        return decided("400", near ? "high" : "low", `${status} for ${where}`);
      return unsupported(list ? "200 with items" : String(status));
    },
  },
};

/** Decides for `count`, the number of items on a single page, if it exceeds the conventional size. */
function atLeast(id: "list.default_size" | "list.max_size", count: number): Verdict {
  const reason = `at least ${count}: all fit on one page`;
  return count > conventional[id] && count <= largestKnown ? decided(count, "low", reason) : open(reason);
}
