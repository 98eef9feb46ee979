import fc from "fast-check";
import { expect, test } from "vitest";
import { known } from "../support/sandbox.ts";
import { ways } from "../support/sandboxes.ts";
import { converse, list, open, summarize } from "./client.ts";

const { unknown, whole } = known;

/** Conversations, and what a report says about them: see `converse` and `summarize`. */
const conversations: readonly (readonly [conversation: string, told: string])[] = [
  // A limit
  ["full a:list a:list", "too-early 1"],
  ["full a:list a:offering", "too-early 1"],
  ["full a:list*3", "too-early 2"],
  ["full a:list b:list a:list", "too-early 2"],
  ["full list ~ list", "too-early 1"],
  ["full list list", "too-early 1"],
  ["full list|list|list", "undecided 2"],
  ["full a:list b:offering +1m b:list", "too-early 1, waited 1"],
  ["full [list,list,list,list,list]", "undecided 4"],
  ["full a:list +1m a:list", "waited 1, came-back 1"],
  ["full a:list +1m a:list a:list", "waited 1, came-back 1"],
  ["full a:list +1m a:offering", "waited 1"],
  ["full a:list +1m a:offering a:list", "waited 1, came-back 1"],
  ["full a:list past +1m a:list", "waited 1, came-back 1"],
  ["full a:list future +1m a:list", "waited 1, came-back 1"],
  ["full a:list past +20s a:list", "too-early 1"],
  ["full a:list +20s a:list +1m a:list", "too-early 1, waited 1, came-back 1"],
  ["full list ~ +1m list", "waited 1, came-back 1"],
  ["full a:list +1m b:list a:list", "waited 1, came-back 1"],
  ["full a:list free a:list a:list", ""],
  ["full a:list reset full a:list", ""],
  ["full a:list HEAD:a:list", ""],
  ["full HEAD:a:list a:list", ""],
  // Since two requests of a key were under way at once, the connection decides
  ["a:list|b:list full a:list b:list", "undecided 1"],
  ["a:list|b:list full a:list a:list", "too-early 1"],
  ["HEAD:a:list|b:list full list list", "undecided 1"],
  ["[list,list] full list ~ list", "too-early 1"],
  ["[list,list] full list list", "undecided 1"],
  ["list|list reset full list list", "undecided 1"],
  ["full list|list list ~ +1m list", "waited 1, came-back 1, undecided 2"],
  ["a:401|b:offering full list list", "too-early 1, stopped-401 1"],
  ["full a:list a:list a:list|b:list", "too-early 1, undecided 2"],
  ["slow a:list|b:list full list list", "undecided 1"],
  ["a:list b:list slow a:list|b:list full list list", "undecided 1"],
  ["full slow a:list b:list", "too-early 1"],
  // A timer may be some milliseconds early
  ["full a:list +59.99s a:list", "waited 1"],
  ["full a:list +59.9s a:list", "too-early 1"],
  ["busy a:offering +59.99s a:offering", "retried 1"],
  ["busy a:offering +59.9s a:offering", "too-early 1, retried 1"],
  // The wait of a 503 only concerns the same request
  ["busy a:offering a:offering", "too-early 1, retried 1"],
  ["busy a:offering a:list", ""],
  ["busy a:offering +1m a:offering", "retried 1"],
  // A refusal
  ["a:403 a:403", "refused-again 1"],
  ["a:403 a:403b", ""],
  ["a:403 b:403", "refused-again 1"],
  ["a:403 ~ b:403", "refused-again 1"],
  ["a:403 b:403 a:403", "refused-again 2"],
  ["403 ~ 403", "refused-again 1"],
  ["403|403|403", "undecided 2"],
  ["[403,403,403]", "undecided 2"],
  ["a:403 reset a:403", ""],
  ["HEAD:a:403 HEAD:a:403 a:403", ""],
  ["a:401 a:401", "refused-again 1"],
  ["a:401 a:401 a:401b", "refused-again 1"],
  ["a:401", "stopped-401 1"],
  ["a:401 a:401b", ""],
  ["a:401 b:401b", ""],
  ["401|401b", "undecided 1"],
  ["a:401 a:offering", "stopped-401 1"],
  ["a:unknown a:unknown", ""],
  ["a:offering revoke a:offering reset a:offering", "stopped-401 1"],
  // Nothing there
  ["a:404*2", ""],
  ["a:404*3", "not-found-again 1"],
  ["a:404*4", "not-found-again 2"],
  ["404*3", "not-found-again 1"],
  ["404 ~ 404 ~ 404", "not-found-again 1"],
  ["404|404|404|404", "undecided 3"],
  ["[404,404,404,404]", "undecided 3"],
  ["HEAD:a:404*3", ""],
  ["a:404 a:list", ""],
  ["a:404 ~ b:404 ~ c:404", "not-found-again 1"],
  [`a:/investments/${unknown}?_=1 a:/investments/${unknown}?_=2 a:/investments/${unknown}?_=3`, "unknown-request 3"],
  ["a:/investments/not-one a:/investments/not-two a:/investments/not-three", ""],
  // A failure
  ["fail a:offering a:offering", "retried 1"],
  ["fail a:offering b:offering", "retried 1"],
  ["fail offering ~ offering", "retried 1"],
  ["fail a:offering a:list a:offering", "retried 1"],
  ["break offering ~ offering", "retried 1"],
  ["break offering offering", "retried 1"],
  ["cut one ~ one", "retried 1"],
  ["fail a:offering +20s fail a:offering +1m a:offering", "retried 2, backed-off 1"],
  ["fail a:offering +1m fail a:offering +20s a:offering", "retried 2"],
  ["fail fail a:offering|b:offering", "undecided 1"],
  // What the service does not have
  ["/offering/1", "unknown-request 1"],
  [`/investments/${whole}?page=1`, "unknown-request 1"],
  [`POST:a:${list}`, "unknown-request 1"],
  [`OPTIONS:a:${list}`, "unknown-request 1"],
];

test.each(conversations)("%s: %s", async (conversation, summary) => {
  const sandbox = await open();
  await converse(sandbox, conversation);
  expect(summarize(await sandbox.coverage())).toBe(summary);
});

test.each(ways)("a good client has all reactions and no risk, %s", async (way) => {
  const sandbox = await open(way);
  await converse(sandbox, "full a:list +1m a:list fail a:one +20s fail a:one +1m a:one revoke a:one");
  expect(summarize(await sandbox.coverage())).toBe("waited 1, came-back 1, stopped-401 1, retried 2, backed-off 1");
});

test("a fast clock does not shorten a wait", async () => {
  const sandbox = await open("in process", { clock: "fixture", speed: 3600 });
  await converse(sandbox, "full a:list +20s a:list");
  expect(summarize(await sandbox.coverage())).toBe("too-early 1");
});

/** Words of requests that get a response, and of changes. */
const word = fc.constantFrom("offering", "list", "one", "events", "new", "+20s");

test("requests with a response are never a risk, in any order, at once or not, by GET or by HEAD", async () => {
  const step = fc.oneof(
    word,
    fc
      .tuple(fc.constantFrom("", "HEAD:"), fc.constantFrom("a", "b"), word)
      .map(([method, connection, request]) =>
        /^[a-z]/.test(request) && request !== "new" ? `${method}${connection}:${request}` : request,
      ),
    fc.array(word, { minLength: 2, maxLength: 6 }).map((words) => words.join("|")),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      await using sandbox = await open();
      await converse(sandbox, steps.join(" "));
      expect(await sandbox.coverage()).toMatchObject({ risks: [], undecided: 0 });
    }),
    { numRuns: 8 },
  );
});
