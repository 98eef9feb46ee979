import { readFileSync } from "node:fs";

const rows = JSON.parse(readFileSync(new URL("vocabulary.json", import.meta.url), "utf8"));
const vocabulary = rows.map(({ avoided, better }) => [new RegExp(avoided, "gi"), better]);

/** Reports each word of comments, strings, templates and JSX text that the vocabulary avoids, with the better word. */
const rule = {
  create(context) {
    const search = (text, loc) => {
      for (const [avoided, better] of vocabulary) {
        for (const [word] of text.matchAll(avoided)) context.report({ message: `"${word.trim()}" → ${better}`, loc });
      }
    };
    return {
      Program() {
        for (const { value, loc } of context.sourceCode.getAllComments()) search(value, loc);
      },
      Literal({ value, loc }) {
        if (typeof value === "string") search(value, loc);
      },
      TemplateElement({ value, loc }) {
        search(value.raw, loc);
      },
      JSXText({ value, loc }) {
        search(value, loc);
      },
    };
  },
};

export default { meta: { name: "words" }, rules: { vocabulary: rule } };
