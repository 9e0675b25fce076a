import { defaultSchema, type Options as Schema } from "rehype-sanitize";

export const idPrefix = "md-";

/** What forms and other documents need, and keys that a story would take from the page. */
const removed = ["acceptCharset", "accessKey", "action", "charSet", "encType", "htmlFor", "method"];
const anywhere = (defaultSchema.attributes?.["*"] ?? []).filter((attribute) => !removed.includes(String(attribute)));

export const storySchema: Schema = {
  ...defaultSchema,
  clobberPrefix: idPrefix,
  // With what is in them: it was never meant to be read.
  strip: ["script", "style"],
  tagNames: [...(defaultSchema.tagNames ?? []), "u"],
  attributes: { ...defaultSchema.attributes, "*": anywhere, code: [["className", /^language-[\w+-]{1,30}$/]] },
};
