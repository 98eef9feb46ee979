import { namesIn, typesAt } from "../responses/types.ts";
import {
  defaultSize,
  firstPage,
  firstItemProbes,
  hasListMoved,
  largestKnown,
  maxSize,
  overMax,
  isSizeOneExceeded,
  isPageRepeated,
  pagingFault,
} from "./paging.ts";
import { templateHint, conventionalValues, decided, noResponse, undetermined, unsupported, type Rows } from "./row.ts";
import { isRefusal } from "./observations.ts";

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
      if (types === undefined) return undetermined(noResponse);
      const members = namesIn(types);
      const attributes = namesIn(types, "data", "attributes");
      const document = `${members.join()}: ${attributes.join()}`;
      const statusHolder = attributes.length > 0 ? typesAt(types, "data", "attributes") : types;
      if (typesAt(statusHolder, "status") !== "string")
        return unsupported(`{${document}}, without a status that is a string`);
      if (document === "data: create_date,status,step")
        return decided("resource", "high", `data with ${attributes.join()}`);
      if (document === "data: status,step")
        return decided("resource-without-date", "high", `data with ${attributes.join()}`);
      if (document === "status,step: ") return decided("flat", "high", "only status and step");
      if (attributes.length === 0) return unsupported(`{${members.join()}} without attributes`);
      const expected = ["create_date", "status", "step"];
      const unexpectedNames = attributes.filter((name) => !expected.includes(name)).join(", ");
      const missingNames = expected.filter((name) => !attributes.includes(name)).join(", ");
      const additionalMembers = members.filter((name) => name !== "data").join(", ");
      const differences = [
        unexpectedNames && `attributes with ${unexpectedNames}`,
        missingNames && `attributes without ${missingNames}`,
        additionalMembers && `${additionalMembers} next to data`,
      ];
      return unsupported(differences.filter(Boolean).join("; "));
    },
  },
  "list.document": {
    probes: ["list", "second_page"],
    decide({ list, types, status }, observations) {
      if (types === undefined) return undetermined(noResponse);
      const names = `{${namesIn(types).join(",")}}, meta: {${namesIn(types, "meta").join(",")}}`;
      if (!list)
        return status === 200 ? unsupported(`${names}, not a list of investments in data`) : undetermined(`${status}`);
      const nextList = observations.first("second_page")?.list;
      if (nextList && nextList.form !== list.form) return unsupported(`${names}, and another form on the next page`);
      if (list.form === undefined) return unsupported(`${names}, ${templateHint}`);
      // A list of one page may omit its links and counts.
      return decided(list.form, nextList?.count ? "high" : "medium", list.form === "data" ? "only data" : names);
    },
  },
  "list.included": {
    probes: ["list"],
    decide({ types, list }) {
      if (!list) return undetermined(noResponse);
      if (namesIn(types).includes("included")) return decided("yes", "high", "the list has included");
      return decided("no", list.count > 0 ? "high" : "low", `${list.count} items without included`);
    },
  },
  "list.first_page": {
    probes: firstItemProbes,
    decide({ list }, observations) {
      const first = hasListMoved(observations) ? undefined : firstPage(observations);
      if (first) return decided(String(first.page), "high", first.because);
      const reason = list?.count === 0 ? "the list is empty" : "neither page 0 nor page 1 is certainly the first";
      return undetermined(pagingFault(observations) ?? reason);
    },
  },
  "list.default_size": {
    probes: ["list", "second_page", "list_again"],
    decide(_, observations) {
      const usualPage = defaultSize(observations);
      if (!usualPage) return undetermined(noResponse);
      if (hasListMoved(observations) || isPageRepeated(observations))
        return undetermined(pagingFault(observations) ?? "");
      const { size, isWhole, isNamed } = usualPage;
      if (isWhole && !isNamed) return atLeast("list.default_size", size);
      if (size > largestKnown) return unsupported(`${size} on a page`, largestKnown);
      if (isNamed) return decided(size, "medium", `meta says ${size}; all fit on one page`);
      const treatment = overMax(observations);
      const largest =
        treatment === "clamp" ? observations.first("over_max")?.list?.count : maxSize(observations).largestAccepted;
      // The default size of a service may exceed the largest size that it accepts in a request.
      if (treatment === "alike" || largest === size)
        return decided(size, "medium", `${size} on a page, which is also the largest size`);
      return decided(size, "high", `${size} on the first of several pages`);
    },
  },
  "list.over_max": {
    probes: ["over_max", "list", "second_page", "list_again", "sizes"],
    decide({ status }, observations) {
      const treatment = overMax(observations);
      if (treatment === undefined) return undetermined(noResponse);
      if (treatment === "reject") return decided("reject", "high", `${status} for a size of a million`);
      const fault = pagingFault(observations);
      if (fault !== undefined) return undetermined(fault);
      if (treatment === "clamp") return decided("clamp", "high", "a larger page than without a size");
      if (treatment === "ignore") return decided("ignore", "high", "the same page as without a size");
      const isWhole = defaultSize(observations)?.isWhole;
      const reason = isWhole ? "all fit on one page" : "a page without a size is of the largest size";
      return decided("clamp", "low", `${reason}, so clamp and ignore cannot be distinguished`);
    },
  },
  "list.max_size": {
    probes: ["over_max", "list", "second_page", "list_again", "first_item", "over_max_next", "list_again", "sizes"],
    decide({ list }, observations) {
      const treatment = overMax(observations);
      const usualPage = defaultSize(observations);
      if (treatment === undefined || !usualPage) return undetermined(noResponse);
      const fault = pagingFault(observations);
      if (fault !== undefined && (treatment !== "reject" || isSizeOneExceeded(observations)))
        return undetermined(fault);
      const { count = 0, namedSize = Infinity } = list ?? {};
      if (treatment === "clamp") {
        const hasMore = (observations.first("over_max_next")?.list?.count ?? 0) > 0;
        if (hasMore && count > largestKnown) return unsupported(`${count} on a page`, largestKnown);
        if (hasMore) return decided(count, "high", `${count} on a page of a million, and more items after it`);
        if (namedSize <= largestKnown && namedSize >= count)
          return decided(namedSize, "medium", `meta says ${namedSize} for a size of a million`);
        return atLeast("list.max_size", count);
      }
      if (treatment === "alike") {
        if (usualPage.isWhole) return atLeast("list.max_size", count);
        if (observations.all("sizes").length === 0) return undetermined(noResponse);
        return decided(usualPage.size, "high", `a size of ${usualPage.size + 1} returns ${usualPage.size}`);
      }
      const { largestAccepted, smallestRefused } = maxSize(observations);
      if (largestAccepted > largestKnown) return unsupported(`${largestAccepted} is accepted`, largestKnown);
      if (largestAccepted < 1 || smallestRefused !== largestAccepted + 1)
        return undetermined(`between ${largestAccepted} and ${smallestRefused}`);
      const verb = treatment === "reject" ? "refused" : "ignored";
      return decided(largestAccepted, "high", `${largestAccepted} is accepted, ${smallestRefused} is ${verb}`);
    },
  },
  "list.past_end": {
    probes: ["past_end", "after_last", "bad_size", "list"],
    decide(farShape, observations) {
      if (!observations.firstOfEach("list").every(({ list }) => list)) return undetermined(noResponse);
      // If the list has grown meanwhile, the page after the last one has items.
      const nearShape = observations.all("after_last").find(({ list }) => !list?.count);
      // A page far after the last page shows less than the page after it: a service may refuse so large a number.
      const shape = nearShape ?? farShape;
      const { status, list } = shape;
      const pageNote = nearShape ? "the page after the last" : "only page 900000";
      const confidence = nearShape ? "high" : "medium";
      if (list?.count === 0) return decided("empty", confidence, `200 with an empty list for ${pageNote}`);
      if (status === 404) return decided("404", confidence, `404 for ${pageNote}`);
      // The status of other invalid parameters means the same as a 400.
      if (status === 400 || (isRefusal(shape) && status === observations.first("bad_size")?.status))
        return decided("400", nearShape ? "high" : "low", `${status} for ${pageNote}`);
      return unsupported(list ? "200 with items" : String(status));
    },
  },
};

/** Decides for `count`, the number of items on a single page, if it exceeds the conventional size. */
function atLeast(id: "list.default_size" | "list.max_size", count: number) {
  const reason = `at least ${count}: all fit on one page`;
  return count > conventionalValues[id] && count <= largestKnown ? decided(count, "low", reason) : undetermined(reason);
}
