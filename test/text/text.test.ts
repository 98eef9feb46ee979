import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  asLabel,
  clipped,
  escaped,
  escapedData,
  isLabel,
  isName,
  isUuid,
  labelOf,
  nearest,
  quoted,
} from "../../src/text/text.ts";

describe("the nearest candidate", () => {
  const names = ["id", "now", "port", "seed", "speed", "label", "status", "create_date", "modify_date"];
  test.each([
    ["port", "port PORT prot pport ort pors"],
    ["seed", "see"],
    ["speed", "spede speeed"],
    ["status", "satus sttasu statuses stauts! stasut"],
    ["create_date", "creatdate ceraet_dtae xreate_xxte"],
    ["modify_date", "modified_date"],
    ["id", "i di"],
    ["now", "no"],
    [undefined, "opt porters tatuuss xxeate_xxte nowww tropical"],
  ])("%s is meant by %s", (near, words) => {
    for (const word of words.split(" ")) expect([word, nearest(word, names)]).toEqual([word, near]);
  });

  test("is the first of several at the same distance, or the exact one", () => {
    expect(nearest("cat", ["car", "can"])).toBe("car");
    expect(nearest("canter", ["cantar", "canter", "center"])).toBe("canter");
    expect(nearest("PORT", ["Port"])).toBe("Port");
    expect([nearest("anything", []), nearest("", names)]).toEqual([undefined, undefined]);
  });

  test("to a very long word is found by its beginning", () => {
    const long = "a".repeat(64);
    expect(nearest(`${long}${"b".repeat(40)}`, [long])).toBe(long);
    expect(nearest("a".repeat(63), [`${long}bbbbbbbbb`])).toBe(`${long}bbbbbbbbb`);
  });

  test("has the distance of an exhaustive search", () => {
    const word = fc.stringMatching(/^[abc]{1,6}$/);
    fc.assert(
      fc.property(word, word, (from, to) => {
        const maxDistance = Math.max(1, Math.floor(to.length / 3));
        expect(nearest(from, [to])).toBe(distance(from, to) <= maxDistance ? to : undefined);
      }),
      { numRuns: 300 },
    );
  });
});

/** The number of wrong, missing, extra and swapped letters, by exhaustive search. */
function distance(from: string, to: string): number {
  if (from === "" || to === "") return from.length + to.length;
  const [first, second] = [from[0], from[1]];
  return Math.min(
    distance(from.slice(1), to.slice(1)) + (first === to[0] ? 0 : 1),
    distance(from.slice(1), to) + 1,
    distance(from, to.slice(1)) + 1,
    first === to[1] && second === to[0] && from.length > 1 ? distance(from.slice(2), to.slice(2)) + 1 : Infinity,
  );
}

const uuid = "0123abcd-0000-4000-8000-00000000000F";

describe("kinds of strings are recognized", () => {
  test.each<[(text: string) => boolean, yes: string[], no: string[]]>([
    [isName, ["a", "joint-investors", "Demo_2", "a".repeat(100)], ["", "a.yaml", "./a", "a b", "a".repeat(101), "a\n"]],
    [isLabel, ["x", "Ada's key №1", "😀".repeat(200)], ["", "a\nb", "a\u202eb", "a\u007f", "x".repeat(201), "\u2028"]],
    [
      isUuid,
      [uuid, uuid.toLowerCase()],
      ["", `${uuid}0`, uuid.slice(1), uuid.replace("a", "g"), uuid.replaceAll("-", "0")],
    ],
  ])("%o", (is, yes, no) => {
    expect(yes.filter((text) => !is(text))).toEqual([]);
    expect(no.filter((text) => is(text))).toEqual([]);
  });
});

describe("foreign text", () => {
  test("is cut after sixty characters, with an ellipsis", () => {
    expect(clipped("a".repeat(60))).toBe("a".repeat(60));
    expect(clipped("a".repeat(61))).toBe(`${"a".repeat(60)}…`);
    expect(quoted('say "no"\n')).toBe(String.raw`"say \"no\"\n"`);
    expect(quoted("a ".repeat(99))).toBe(`"${"a ".repeat(30)}…"`);
  });

  test.each([
    ["plain ü 😀", "plain ü 😀"],
    ["\u001b[31m", "\\u001b[31m"],
    ["a\nb\tc", "a\\u000ab\\u0009c"],
    ["\u009b\u061c\u200e\u2028\u202e\u2066", "\\u009b\\u061c\\u200e\\u2028\\u202e\\u2066"],
  ])("%j is escaped to %s", (text, escapedText) => {
    expect(escaped(text)).toBe(escapedText);
    expect(escaped(text, "lines")).toBe(escapedText.replace("\\u000a", "\n"));
    expect(escapedData({ list: [text, 1, null], [text]: true })).toEqual({
      list: [escapedText, 1, null],
      [text]: true,
    });
  });

  test("is shortened to a label: one line of at most two hundred characters", () => {
    expect(labelOf("Aurora\nRobotics", "marketing")).toBe("Aurora Robotics marketing");
    expect(labelOf("a".repeat(300), "partner")).toBe(`${"a".repeat(183)} partner`);
    expect(isLabel(labelOf("😀".repeat(300), "partner"))).toBe(true);
    expect(asLabel("a.test.ts > Ada\u2028signs")).toBe("a.test.ts > Ada signs");
    expect(isLabel(asLabel(`x${"😀".repeat(300)}`))).toBe(true);
  });
});

test("undefined data stays undefined when escaped", () => {
  expect(escapedData(undefined)).toBeUndefined();
});
